/** A source as the body of a request, with a watch on how far it has been used. */
export class RequestBody {
  /** From here on the request cannot be repeated: what was read is gone. */
  isSpent = false;
  /** It is the source that lets everybody wait, not the server. */
  isWaiting = false;
  failure: { readonly error: unknown } | undefined;
  readonly #source: AsyncGenerator<Uint8Array>;
  /** Kept, because Node.js reads a first piece before it has a connection. */
  #first: IteratorResult<Uint8Array> | undefined;

  constructor(source: AsyncGenerator<Uint8Array>) {
    this.#source = source;
  }

  /** One for each attempt. */
  stream(): ReadableStream<Uint8Array> {
    let isFirst = true;
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      try {
        const { done, value } = await (isFirst ? this.#readFirst() : this.#read());
        isFirst = false;
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        this.failure = { error };
        this.isSpent = true;
        controller.error(error);
      }
    };
    return new ReadableStream({ pull }, { highWaterMark: 0 });
  }

  /** Nobody waits for it: a source that hangs would hang here too. */
  close(): void {
    this.#source.return(undefined).catch(() => {});
  }

  async #readFirst(): Promise<IteratorResult<Uint8Array>> {
    this.#first ??= await this.#wait();
    return this.#first;
  }

  #read(): Promise<IteratorResult<Uint8Array>> {
    this.isSpent = true;
    return this.#wait();
  }

  async #wait(): Promise<IteratorResult<Uint8Array>> {
    this.isWaiting = true;
    try {
      return await this.#source.next();
    } finally {
      this.isWaiting = false;
    }
  }
}
