/** Reads one item ahead from a generator, and calls `wake` when an item, the end or a failure arrives. */
export class ReadAhead<Item> {
  /** The item that was read ahead. The consumer sets it to `undefined` when it takes the item. */
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

  /** Starts to read the next item, unless one is there already. */
  readNext(): void {
    if (this.#isReading || this.#hasEnded || this.item !== undefined) return;
    this.#isReading = true;
    this.#read().finally(this.#wake);
  }

  /** Throws the failure of the source. Called last, so that the items before the failure are processed first. */
  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Does not wait for the source: a source that hangs would block the caller. */
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
