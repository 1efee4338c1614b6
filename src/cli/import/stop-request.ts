import type { StatusLine } from '../status-line.js';
import type { Selection } from './selection.js';

/** How long requests under way may take to end after somebody asked to stop. */
const GRACE_MS = 5_000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Ctrl-C: the first time nothing further is read, the second time nothing is waited for any more. */
export class StopRequest {
  readonly problem = 'Stopped on request.';
  readonly #line: StatusLine;
  readonly #selection: Selection;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(line: StatusLine, selection: Selection) {
    this.#line = line;
    this.#selection = selection;
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  forget(): void {
    clearTimeout(this.#timer);
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = () => {
    if (this.#selection.isStopped) return this.#controller.abort();
    this.#selection.stop();
    this.#line.say('Stopping behind the requests under way; Ctrl-C again to end at once.');
    this.#timer = setTimeout(() => this.#controller.abort(), GRACE_MS);
  };
}
