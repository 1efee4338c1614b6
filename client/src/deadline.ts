/** A signal that follows the caller's, and that a time limit aborts too. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The limit that was exceeded. */
  exceededMs: number | undefined;

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller;
    if (caller?.aborted) this.#follow();
    // Not AbortSignal.any: Node.js 20 keeps what it makes for as long as the caller's signal lives.
    else caller?.addEventListener('abort', this.#follow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Begins the time limit anew; whoever is excused when it ends gets as long again. */
  start(ms: number, isExcused: () => boolean = () => false): void {
    this.stop();
    this.#timer = setTimeout(() => {
      if (isExcused()) return this.start(ms, isExcused);
      this.exceededMs = ms;
      this.#controller.abort();
    }, ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Ends whatever still runs under this signal. */
  close(): void {
    this.stop();
    this.#caller?.removeEventListener('abort', this.#follow);
    this.#controller.abort();
  }

  readonly #follow = () => this.#controller.abort(this.#caller?.reason);
}
