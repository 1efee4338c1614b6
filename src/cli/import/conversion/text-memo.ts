/** The days of ten years. With as many texts, a column takes 300 KB, and a file can have hundreds of columns. */
const MAX_TEXTS = 4_000;
/** Values that come again are short. */
const MAX_LENGTH = 200;

/** Remembers what was found out about texts, in bounded memory. */
export class TextMemo<Value> {
  readonly #values = new Map<string, Value>();

  /** The value of the text, computed at its first use. */
  get(text: string, compute: (text: string) => Value): Value {
    const known = this.#values.get(text);
    if (known !== undefined) return known;
    if (this.#values.size >= MAX_TEXTS || text.length > MAX_LENGTH) return compute(text);
    // The value may be the text itself, or a part of it.
    const copy = copyOf(text);
    const value = compute(copy);
    this.#values.set(copy, value);
    return value;
  }
}

/** V8 cuts a string out of a longer one by reference, so one kept cell would keep the whole piece of its file. */
export function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}
