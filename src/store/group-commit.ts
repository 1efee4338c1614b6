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

interface Waiting {
  readonly request: UpsertRequest;
  readonly resolve: (counts: UpsertCounts) => void;
  readonly reject: (error: Error) => void;
}

/** Many concurrent writes, one durable transaction: whatever arrives while one commits forms the next. */
export class GroupCommit {
  readonly #commit: CommitGroup;
  readonly #limits: QueueLimits;
  #queue: Waiting[] = [];
  #records = 0;
  #bytes = 0;
  #running: Promise<void> | undefined;

  constructor(commit: CommitGroup, limits: QueueLimits) {
    this.#commit = commit;
    this.#limits = limits;
  }

  submit(request: UpsertRequest): Promise<UpsertCounts> {
    const records = this.#records + request.patches.length;
    const bytes = this.#bytes + request.bytes;
    // An empty queue takes any request, so that none is too large for ever.
    if (this.#queue.length > 0 && (records > this.#limits.records || bytes > this.#limits.bytes)) {
      return Promise.reject(new QueueFull());
    }
    this.#records = records;
    this.#bytes = bytes;
    const outcome = new Promise<UpsertCounts>((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
    });
    this.#running ??= this.#drain();
    return outcome;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #drain(): Promise<void> {
    // Requests that came in the same turn of the event loop belong into the first group.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0) await this.#run(this.#next());
    this.#running = undefined;
  }

  #next(): Waiting[] {
    let records = 0;
    const end = this.#queue.findIndex(({ request }) => {
      records += request.patches.length;
      return records > MAX_GROUP_RECORDS;
    });
    const group = this.#queue.splice(0, end === -1 ? this.#queue.length : Math.max(end, 1));
    for (const { request } of group) {
      this.#records -= request.patches.length;
      this.#bytes -= request.bytes;
    }
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
