import { onAbort } from './on-abort.js';

/** Said to nobody; without it, a DOMException would be made each time. */
const CLOSED = 'closed';

/** A signal that follows the caller's, and that a time limit aborts too. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #unfollow: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The limit that was exceeded. */
  exceededMs: number | undefined;

  constructor(caller: AbortSignal | undefined) {
    const follow = () => this.#controller.abort(caller?.reason);
    if (caller?.aborted) follow();
    this.#unfollow = onAbort(caller, follow);
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
    this.#unfollow();
    this.#controller.abort(CLOSED);
  }
}
