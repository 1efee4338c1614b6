/** The days of ten years. With as many texts, a column takes 300 KB, and a file can have hundreds of columns. */
const MAX_TEXTS = 4_000;
/** Values that come again are short. */
const MAX_LENGTH = 200;

/** Remembers what was found out about texts, in bounded memory. */
export class TextMemo<Value> {
  readonly #values = new Map<string, Value>();

  get(text: string): Value | undefined {
    return this.#values.get(text);
  }

  set(text: string, value: Value): void {
    if (this.#values.size < MAX_TEXTS && text.length <= MAX_LENGTH) this.#values.set(text, value);
  }
}

/** A copy, because a part of a text keeps the whole in memory: here a piece of the file with thousands of rows. */
export function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}
