/** Per column; columns repeat their values. */
const MAX_TEXTS = 10_000;
/** Longer texts hardly repeat, and would take much memory. */
const MAX_LENGTH = 256;

/** Remembers what is known of the texts of a column, in bounded memory. */
export class TextMemo<Value> {
  readonly #values = new Map<string, Value>();

  /** The value of the text, computed from a copy of it at its first use. */
  get(text: string, compute: (text: string) => Value): Value {
    const known = this.#values.get(text);
    if (known !== undefined) return known;
    if (this.#values.size >= MAX_TEXTS || text.length > MAX_LENGTH) return compute(text);
    const copy = ownCopy(text);
    const value = compute(copy);
    this.#values.set(copy, value);
    return value;
  }
}

/** V8 cuts a string out of a longer one by reference, so one kept cell would keep the whole piece of its file. */
export function ownCopy(text: string): string {
  return JSON.parse(JSON.stringify(text));
}
