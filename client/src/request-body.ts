/** A source as the body of a request, with a watch on how far it has been used. */
export class RequestBody {
  /** From here on the request cannot be repeated: what was read is gone. */
  hasBegun = false;
  /** It is the source that lets everybody wait, not the server. */
  isWaiting = false;
  failure: { readonly error: unknown } | undefined;
  readonly #source: AsyncGenerator<string | Uint8Array>;
  readonly #encoder = new TextEncoder();

  constructor(source: AsyncGenerator<string | Uint8Array>) {
    this.#source = source;
  }

  /** One for each attempt; none reads ahead, so that an attempt without a connection uses nothing up. */
  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream({ pull: (controller) => this.#pull(controller) }, { highWaterMark: 0 });
  }

  /** Nobody waits for it: a source that hangs would hang here too. */
  close(): void {
    this.#source.return(undefined).catch(() => {});
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.hasBegun = true;
    this.isWaiting = true;
    try {
      const { done, value } = await this.#source.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === 'string' ? this.#encoder.encode(value) : value);
    } catch (error) {
      this.failure = { error };
      controller.error(error);
    }
    this.isWaiting = false;
  }
}
