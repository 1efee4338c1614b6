/** Holds one item that nobody has taken yet, and tells when there is news. */
export class ReadAhead<Item> {
  /** Whoever takes it sets it to `undefined`. */
  item: Item | undefined;
  readonly #items: AsyncGenerator<Item>;
  readonly #wake: () => void;
  #isReading = false;
  #hasEnded = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(items: AsyncGenerator<Item>, wake: () => void) {
    this.#items = items;
    this.#wake = wake;
  }

  get isAtEnd(): boolean {
    return this.#hasEnded && this.item === undefined;
  }

  /** Reads the next item where none waits. */
  readOn(): void {
    if (this.#isReading || this.#hasEnded || this.item !== undefined) return;
    this.#isReading = true;
    this.#read().finally(this.#wake);
  }

  /** A failure is kept until everything before it has been dealt with. */
  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Nobody waits for it: a source that hangs would hang here too. */
  close(): void {
    this.#items.return(undefined).catch(() => {});
  }

  async #read(): Promise<void> {
    try {
      const { done, value } = await this.#items.next();
      if (done) this.#hasEnded = true;
      else this.item = value;
    } catch (error) {
      this.#hasEnded = true;
      this.#failure = { error };
    }
    this.#isReading = false;
  }
}
