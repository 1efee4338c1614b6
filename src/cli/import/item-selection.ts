import type { StatusLine } from '../terminal/status-line.js';
import type { Item } from './items.js';

/** Records a request: with fewer, the requests themselves would take their time. */
const CHUNK = 250;

/** Which items of a file are sent: those behind an earlier run's, up to a limit, until somebody asks to stop. */
export class Selection {
  /** How many were read, sent or not. */
  read = 0;
  /** Whether it ended before the file did, as the limit said. */
  isLimited = false;
  isStopped = false;
  readonly #skip: number;
  readonly #limit: number;
  #stopWaiting = () => {};

  constructor({
    skip = 0,
    limit = Number.POSITIVE_INFINITY,
  }: { skip?: number | undefined; limit?: number | undefined }) {
    this.#skip = skip;
    this.#limit = limit;
  }

  stop(): void {
    this.isStopped = true;
    this.#stopWaiting();
  }

  /** As many at a time as go into one request. */
  async *of(batches: AsyncGenerator<readonly Item[]>): AsyncGenerator<readonly Item[]> {
    const end = this.#skip + this.#limit;
    while (!this.isLimited) {
      const batch = await this.#next(batches);
      if (batch === undefined) return;
      const from = Math.max(0, this.#skip - this.read);
      const selected = batch.slice(from, end - this.read);
      this.isLimited = this.read + batch.length > end;
      this.read = Math.min(this.read + batch.length, end);
      for (let start = 0; start < selected.length && !this.isStopped; start += CHUNK) {
        yield selected.slice(start, start + CHUNK);
      }
    }
  }

  /** `undefined` at the end, and at once when somebody asks to stop: a pipe may be silent for ever. */
  #next(batches: AsyncGenerator<readonly Item[]>): Promise<readonly Item[] | undefined> {
    return new Promise((resolve, reject) => {
      this.#stopWaiting = () => resolve(undefined);
      if (this.isStopped) return resolve(undefined);
      batches.next().then(({ value, done }) => resolve(done ? undefined : value), reject);
    });
  }
}

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
