import { onAbort } from './on-abort.js';

/** An explicit reason: without one, each abort creates a DOMException. No caller sees this reason. */
const CLOSED = 'closed';

/** A signal that aborts with the caller's signal or when a time limit is exceeded. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #unfollow: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The exceeded limit; `undefined` until then. */
  exceededMs: number | undefined;

  constructor(caller: AbortSignal | undefined) {
    const follow = () => this.#controller.abort(caller?.reason);
    if (caller?.aborted) follow();
    this.#unfollow = onAbort(caller, follow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the time limit. If `isPaused` is true when the limit ends, the limit starts again. */
  start(ms: number, isPaused: () => boolean = () => false): void {
    this.stop();
    this.#timer = setTimeout(() => {
      if (isPaused()) return this.start(ms, isPaused);
      this.exceededMs = ms;
      this.#controller.abort();
    }, ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Aborts all work that still uses this signal. */
  close(): void {
    this.stop();
    this.#unfollow();
    this.#controller.abort(CLOSED);
  }
}
