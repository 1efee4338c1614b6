import type { StatusLine } from '../terminal/status-line.js';
import type { ImportItem } from './items.js';

/** Records per request: with fewer, the cost of the requests themselves dominates. */
export const CHUNK = 250;

/** Selects the items to send: those after the items of an earlier run, up to a limit, until a stop is requested. */
export class ItemSelection {
  /** The number of items read, sent or not. */
  read = 0;
  /** Whether the limit ended the selection before the end of the file. */
  isLimited = false;
  isStopped = false;
  readonly #skip: number;
  readonly #limit: number;
  #cancelRead = () => {};

  constructor({
    skip = 0,
    limit = Number.POSITIVE_INFINITY,
  }: { skip?: number | undefined; limit?: number | undefined }) {
    this.#skip = skip;
    this.#limit = limit;
  }

  stop(): void {
    this.isStopped = true;
    this.#cancelRead();
  }

  /** Yields one array for each request. */
  async *chunks(batches: AsyncGenerator<readonly ImportItem[]>): AsyncGenerator<readonly ImportItem[]> {
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

  /** `undefined` at the end, and immediately after a stop request, because a pipe can stay silent forever. */
  #next(batches: AsyncGenerator<readonly ImportItem[]>): Promise<readonly ImportItem[] | undefined> {
    return new Promise((resolve, reject) => {
      this.#cancelRead = () => resolve(undefined);
      if (this.isStopped) return resolve(undefined);
      batches.next().then(({ value, done }) => resolve(done ? undefined : value), reject);
    });
  }
}

/** How long requests in progress may take after a stop request. */
const GRACE_MS = 5_000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Handles Ctrl-C: the first signal stops reading, the second one also aborts the requests in progress. */
export class StopRequest {
  readonly problem = 'Stopped on request.';
  readonly #line: StatusLine;
  readonly #selection: ItemSelection;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(line: StatusLine, selection: ItemSelection) {
    this.#line = line;
    this.#selection = selection;
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = () => {
    if (this.#selection.isStopped) return this.#controller.abort();
    this.#selection.stop();
    this.#line.log('Stopping after the requests in progress. Press Ctrl-C again to stop immediately.');
    this.#timer = setTimeout(() => this.#controller.abort(), GRACE_MS);
  };
}
