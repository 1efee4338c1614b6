import { QueueFull, type UpsertCounts, type UpsertRequest } from './store.js';

/** One request's own end: a failure of one says nothing about its neighbours. */
export type UpsertOutcome = { readonly counts: UpsertCounts } | { readonly error: Error };

/** Commits a group in one transaction and tells, in order, how each request ended. */
export type CommitGroup = (group: readonly UpsertRequest[]) => Promise<readonly UpsertOutcome[]>;

export interface QueueLimits {
  readonly records: number;
  readonly bytes: number;
}

/** About a second of work, and as much memory as a small machine can spare. */
export const DEFAULT_QUEUE_LIMITS: QueueLimits = { records: 50_000, bytes: 64 * 1024 * 1024 };

/** A larger group would save little and make the first of it wait for the last. */
const MAX_GROUP_RECORDS = 2_000;

export interface GroupCommitOptions {
  readonly limits: QueueLimits;
  /** Requests of one lane are committed in the order in which they came, one group at a time. */
  laneOf(request: UpsertRequest): number;
  /** How many lanes may commit at the same time. */
  readonly width: number;
}

interface Waiting {
  readonly request: UpsertRequest;
  readonly resolve: (counts: UpsertCounts) => void;
  readonly reject: (error: Error) => void;
}

/** Many concurrent writes, one durable transaction: whatever arrives while one commits forms the next. */
export class GroupCommit {
  readonly #commit: CommitGroup;
  readonly #options: GroupCommitOptions;
  /** By lane; the one that has waited longest comes first. */
  readonly #waiting = new Map<number, Waiting[]>();
  readonly #running = new Map<number, Promise<void>>();
  #records = 0;
  #bytes = 0;

  constructor(commit: CommitGroup, options: GroupCommitOptions) {
    this.#commit = commit;
    this.#options = options;
  }

  submit(request: UpsertRequest): Promise<UpsertCounts> {
    const { limits, laneOf } = this.#options;
    const records = this.#records + request.patches.length;
    const bytes = this.#bytes + request.bytes;
    // An empty queue takes any request, so that none is too large for ever.
    if (this.#waiting.size > 0 && (records > limits.records || bytes > limits.bytes)) {
      return Promise.reject(new QueueFull());
    }
    this.#records = records;
    this.#bytes = bytes;
    const lane = laneOf(request);
    const outcome = new Promise<UpsertCounts>((resolve, reject) => {
      const waiting = this.#waiting.get(lane);
      if (waiting === undefined) this.#waiting.set(lane, [{ request, resolve, reject }]);
      else waiting.push({ request, resolve, reject });
    });
    this.#startNext();
    return outcome;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  #startNext(): void {
    for (const lane of this.#waiting.keys()) {
      if (this.#running.size === this.#options.width) return;
      if (!this.#running.has(lane)) this.#running.set(lane, this.#drain(lane));
    }
  }

  async #drain(lane: number): Promise<void> {
    // Requests that came in the same turn of the event loop belong into the first group.
    await new Promise<void>((resolve) => setImmediate(resolve));
    await this.#run(this.#next(lane));
    this.#running.delete(lane);
    this.#startNext();
  }

  #next(lane: number): Waiting[] {
    const waiting = this.#waiting.get(lane) ?? [];
    let records = 0;
    const end = waiting.findIndex(({ request }) => {
      records += request.patches.length;
      return records > MAX_GROUP_RECORDS;
    });
    const group = waiting.splice(0, end === -1 ? waiting.length : Math.max(end, 1));
    for (const { request } of group) {
      this.#records -= request.patches.length;
      this.#bytes -= request.bytes;
    }
    // What is left goes behind the other lanes.
    this.#waiting.delete(lane);
    if (waiting.length > 0) this.#waiting.set(lane, waiting);
    return group;
  }

  async #run(group: readonly Waiting[]): Promise<void> {
    let outcomes: readonly UpsertOutcome[];
    try {
      outcomes = await this.#commit(group.map(({ request }) => request));
    } catch (error) {
      for (const { reject } of group) reject(error as Error);
      return;
    }
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[index] as UpsertOutcome;
      if ('counts' in outcome) resolve(outcome.counts);
      else reject(outcome.error);
    }
  }
}
