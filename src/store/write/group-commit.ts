import type { UpsertCounts, UpsertOutcome, UpsertRequest } from '../requests.js';
import { MAX_GROUP_RECORDS, type QueueLimits, WriteBacklog } from './write-backlog.js';

/** Commits a group in one transaction. Resolves with the outcome of each request, in order. */
export type CommitGroup = (group: readonly UpsertRequest[]) => Promise<readonly UpsertOutcome[]>;

/** Below this many waiting records a lane runs only one transaction at a time. */
const MIN_RECORDS_FOR_SECOND_GROUP = 32;

export interface GroupCommitOptions {
  readonly limits: QueueLimits;
  /**
   * The lane of a request. Requests of one lane that touch the same account are committed in their order of arrival.
   */
  laneOf(request: UpsertRequest): number;
  /** How many groups may be committed at the same time. */
  readonly width: number;
  /** How many of them may belong to the same lane. */
  readonly laneWidth: number;
  /** Called after each group, with the time it took. */
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
  /** Whether a group is about to be formed, at the end of this turn of the event loop. */
  isGathering: boolean;
  /** The accounts of the groups that are being committed. */
  readonly accounts: Set<string>;
}

/**
 * Group commit, used on PostgreSQL: a durable commit costs a disk sync, so concurrent requests share one transaction.
 * While a group commits, arriving requests wait in the queue of their lane (their tenant) and form its next group.
 *
 *   submit ──▶ lane 1: [r4 r5 r6] ──▶ group ──▶ commit ─┐
 *          ──▶ lane 2: [r7]       ──▶ group ──▶ commit ─┴─▶ each request gets its own outcome
 *
 * - At most `width` groups commit at a time, at most `laneWidth` of one lane. Lanes take turns (round robin).
 * - Two concurrent groups of a lane never share an account, so requests for one account commit in order of arrival.
 * - `WriteBacklog` limits the waiting requests; beyond it `submit` rejects with `QueueFull`.
 */
export class GroupCommit {
  readonly #commit: CommitGroup;
  readonly #options: GroupCommitOptions;
  /** Lanes with waiting or running requests, in round-robin order: the next one to start is first. */
  readonly #lanes = new Map<number, Lane>();
  readonly #running = new Set<Promise<void>>();
  readonly #backlog: WriteBacklog;

  constructor(commit: CommitGroup, options: GroupCommitOptions) {
    this.#commit = commit;
    this.#options = options;
    this.#backlog = new WriteBacklog(options.limits);
  }

  async submit(request: UpsertRequest): Promise<UpsertCounts> {
    this.#backlog.add(request);
    const lane = this.#laneFor(this.#options.laneOf(request));
    lane.records += request.patches.length;
    const outcome = new Promise<UpsertCounts>((resolve, reject) => {
      lane.waiting.push({ request, resolve, reject });
    });
    this.#startNext();
    return outcome;
  }

  waitingRecords(): number {
    return this.#backlog.records;
  }

  /** Resolves when no request is waiting or being committed. */
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
      const running = this.#commitNext(key, lane).finally(() => {
        this.#running.delete(running);
        this.#startNext();
      });
      this.#running.add(running);
    }
  }

  #mayStart({ waiting: [first], records, groups, isGathering, accounts }: Lane): boolean {
    if (first === undefined || isGathering || groups === this.#options.laneWidth) return false;
    return groups === 0 || (records >= MIN_RECORDS_FOR_SECOND_GROUP && !touches(first.request, accounts));
  }

  async #commitNext(key: number, lane: Lane): Promise<void> {
    // Requests that arrive in the same turn of the event loop join the group.
    await new Promise<void>((resolve) => setImmediate(resolve));
    const group = this.#takeGroup(lane);
    const accounts = group.flatMap(({ request }) => request.patches.map(({ accountId }) => accountId));
    for (const account of accounts) lane.accounts.add(account);
    lane.groups += 1;
    lane.isGathering = false;
    // The lane moves to the end of the round.
    this.#lanes.delete(key);
    this.#lanes.set(key, lane);
    this.#startNext();
    await this.#run(group);
    for (const account of accounts) lane.accounts.delete(account);
    lane.groups -= 1;
    if (lane.groups === 0 && lane.waiting.length === 0) this.#lanes.delete(key);
  }

  /** The oldest waiting requests, up to the size limit or up to one that touches an account of a running group. */
  #takeGroup(lane: Lane): Waiting[] {
    let records = 0;
    const end = lane.waiting.findIndex(({ request }) => {
      records += request.patches.length;
      return records > MAX_GROUP_RECORDS || touches(request, lane.accounts);
    });
    const group = lane.waiting.splice(0, end === -1 ? lane.waiting.length : Math.max(end, 1));
    for (const { request } of group) {
      this.#backlog.remove(request);
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
