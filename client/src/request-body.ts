/** The body of a streaming request, read from a source. Records whether the request can still be repeated. */
export class RequestBody {
  /** If true, the request cannot be repeated: the source cannot yield the sent pieces again. */
  isSpent = false;
  /** If true, the request waits for the source and not for the server. */
  isWaiting = false;
  failure: { readonly error: unknown } | undefined;
  readonly #source: AsyncGenerator<Uint8Array>;
  /** Kept for a retry: Node.js reads the first piece before it has a connection. */
  #first: IteratorResult<Uint8Array> | undefined;

  constructor(source: AsyncGenerator<Uint8Array>) {
    this.#source = source;
  }

  /** Creates the stream for one attempt. */
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

  /** Does not wait for the source: a source that hangs would block the caller. */
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
