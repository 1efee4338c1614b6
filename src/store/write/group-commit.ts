import type { UpsertCounts, UpsertOutcome, UpsertRequest } from '../requests.js';
import { MAX_GROUP_RECORDS, type QueueLimits, WriteBacklog } from './write-backlog.js';

/** Commits a group in one transaction and tells, in order, how each request ended. */
export type CommitGroup = (group: readonly UpsertRequest[]) => Promise<readonly UpsertOutcome[]>;

/** Enough to make a second transaction beside the first worth its while. */
const RECORDS_FOR_ANOTHER = 32;

export interface GroupCommitOptions {
  readonly limits: QueueLimits;
  /** Requests of one lane that touch the same account are committed in the order in which they came. */
  laneOf(request: UpsertRequest): number;
  /** How many groups may be committed at the same time. */
  readonly width: number;
  /** How many of them may be of the same lane. */
  readonly laneWidth: number;
  /** Called after each group, with how long it took. */
  onEnd?(outcomes: readonly UpsertOutcome[], seconds: number): void;
}

interface Waiting {
  readonly request: UpsertRequest;
  readonly resolve: (counts: UpsertCounts) => void;
  readonly reject: (error: Error) => void;
}

interface Lane {
  readonly waiting: Waiting[];
  records: number;
  groups: number;
  /** Whether a group is being gathered. */
  isGathering: boolean;
  /** The accounts of the groups under way. */
  readonly accounts: Set<string>;
}

/** Many concurrent writes, one durable transaction: whatever arrives while one commits forms the next. */
export class GroupCommit {
  readonly #commit: CommitGroup;
  readonly #options: GroupCommitOptions;
  /** Those in use; the one whose turn it is comes first. */
  readonly #lanes = new Map<number, Lane>();
  readonly #running = new Set<Promise<void>>();
  readonly #waiting: WriteBacklog;

  constructor(commit: CommitGroup, options: GroupCommitOptions) {
    this.#commit = commit;
    this.#options = options;
    this.#waiting = new WriteBacklog(options.limits);
  }

  async submit(request: UpsertRequest): Promise<UpsertCounts> {
    this.#waiting.add(request);
    const lane = this.#laneFor(this.#options.laneOf(request));
    lane.records += request.patches.length;
    const outcome = new Promise<UpsertCounts>((resolve, reject) => {
      lane.waiting.push({ request, resolve, reject });
    });
    this.#startNext();
    return outcome;
  }

  waitingRecords(): number {
    return this.#waiting.records;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #laneFor(key: number): Lane {
    const known = this.#lanes.get(key);
    if (known !== undefined) return known;
    const lane = { waiting: [], records: 0, groups: 0, isGathering: false, accounts: new Set<string>() };
    this.#lanes.set(key, lane);
    return lane;
  }

  #startNext(): void {
    for (const [key, lane] of this.#lanes) {
      if (this.#running.size === this.#options.width) return;
      if (!this.#mayStart(lane)) continue;
      lane.isGathering = true;
      const running = this.#drain(key, lane).finally(() => {
        this.#running.delete(running);
        this.#startNext();
      });
      this.#running.add(running);
    }
  }

  #mayStart({ waiting: [first], records, groups, isGathering, accounts }: Lane): boolean {
    if (first === undefined || isGathering || groups === this.#options.laneWidth) return false;
    return groups === 0 || (records >= RECORDS_FOR_ANOTHER && !touches(first.request, accounts));
  }

  async #drain(key: number, lane: Lane): Promise<void> {
    // Requests that came in the same turn of the event loop belong into the first group.
    await new Promise<void>((resolve) => setImmediate(resolve));
    const group = this.#next(lane);
    const accounts = group.flatMap(({ request }) => request.patches.map(({ accountId }) => accountId));
    for (const account of accounts) lane.accounts.add(account);
    lane.groups += 1;
    lane.isGathering = false;
    // Behind the others, with what is left.
    this.#lanes.delete(key);
    this.#lanes.set(key, lane);
    this.#startNext();
    await this.#run(group);
    for (const account of accounts) lane.accounts.delete(account);
    lane.groups -= 1;
    if (lane.groups === 0 && lane.waiting.length === 0) this.#lanes.delete(key);
  }

  /** The longest waiting requests, up to one that is too many, or that has to come after one under way. */
  #next(lane: Lane): Waiting[] {
    let records = 0;
    const end = lane.waiting.findIndex(({ request }) => {
      records += request.patches.length;
      return records > MAX_GROUP_RECORDS || touches(request, lane.accounts);
    });
    const group = lane.waiting.splice(0, end === -1 ? lane.waiting.length : Math.max(end, 1));
    for (const { request } of group) {
      this.#waiting.remove(request);
      lane.records -= request.patches.length;
    }
    return group;
  }

  async #run(group: readonly Waiting[]): Promise<void> {
    let outcomes: readonly UpsertOutcome[];
    const startedAt = performance.now();
    try {
      outcomes = await this.#commit(group.map(({ request }) => request));
    } catch (error) {
      for (const { reject } of group) reject(error as Error);
      return;
    }
    this.#options.onEnd?.(outcomes, (performance.now() - startedAt) / 1_000);
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[index] as UpsertOutcome;
      if ('counts' in outcome) resolve(outcome.counts);
      else reject(outcome.error);
    }
  }
}

function touches({ patches }: UpsertRequest, accounts: ReadonlySet<string>): boolean {
  return accounts.size > 0 && patches.some(({ accountId }) => accounts.has(accountId));
}
