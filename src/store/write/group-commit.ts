import { recordsOf, type UpsertRequest } from '../requests.js';
import { MAX_GROUP_RECORDS } from './write-backlog.js';

/** Below this many waiting records a lane runs only one transaction at a time. */
const MIN_RECORDS_FOR_SECOND_GROUP = 32;

/** A request to commit, with whatever its owner needs to recognize it. */
interface Task {
  readonly upsert: UpsertRequest;
}

export interface GroupCommitOptions {
  /** How many groups may be committed at the same time. */
  readonly width: number;
  /** How many of them may belong to the same lane. */
  readonly laneWidth: number;
}

interface Lane<T> {
  readonly waiting: T[];
  records: number;
  groups: number;
  /** Whether a group is about to be formed, at the end of this turn of the event loop. */
  isGathering: boolean;
  /** The accounts of the groups that are being committed. */
  readonly accounts: Set<string>;
}

/**
 * Group commit, used on PostgreSQL: a durable commit costs a disk sync, so concurrent requests share one transaction.
 * While a group commits, arriving requests wait in the queue of their lane and form its next group. A lane is a tenant:
 * no statement crosses tenants, so that the tables can be distributed by tenant.
 *
 *   submit ──▶ lane 1: [r4 r5 r6] ──▶ group ──▶ commit
 *          ──▶ lane 2: [r7]       ──▶ group ──▶ commit
 *
 * - At most `width` groups commit at a time, at most `laneWidth` of one lane. Lanes take turns (round robin).
 * - Two concurrent groups of a lane never share an account, so requests for one account commit in order of arrival.
 */
export class GroupCommit<T extends Task> {
  readonly #commit: (group: readonly T[]) => Promise<void>;
  readonly #options: GroupCommitOptions;
  /** Lanes with waiting or running requests, in round-robin order: the next one to start is first. */
  readonly #lanes = new Map<number, Lane<T>>();
  readonly #running = new Set<Promise<void>>();

  /** `commit` writes a group in one transaction, and never rejects. */
  constructor(commit: (group: readonly T[]) => Promise<void>, options: GroupCommitOptions) {
    this.#commit = commit;
    this.#options = options;
  }

  submit(task: T): void {
    const lane = this.#laneFor(task.upsert.tenantId);
    lane.records += recordsOf(task.upsert);
    lane.waiting.push(task);
    this.#startNext();
  }

  /** Resolves when no request is waiting or being committed. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #laneFor(key: number): Lane<T> {
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

  #mayStart({ waiting: [first], records, groups, isGathering, accounts }: Lane<T>): boolean {
    if (first === undefined || isGathering || groups === this.#options.laneWidth) return false;
    return groups === 0 || (records >= MIN_RECORDS_FOR_SECOND_GROUP && !touches(first, accounts));
  }

  async #commitNext(key: number, lane: Lane<T>): Promise<void> {
    // Requests that arrive in the same turn of the event loop join the group.
    await new Promise<void>((resolve) => setImmediate(resolve));
    const group = this.#takeGroup(lane);
    const accounts = group.flatMap(({ upsert }) => upsert.patches.map(({ accountId }) => accountId));
    for (const account of accounts) lane.accounts.add(account);
    lane.groups += 1;
    lane.isGathering = false;
    // The lane moves to the end of the round.
    this.#lanes.delete(key);
    this.#lanes.set(key, lane);
    this.#startNext();
    await this.#commit(group);
    for (const account of accounts) lane.accounts.delete(account);
    lane.groups -= 1;
    if (lane.groups === 0 && lane.waiting.length === 0) this.#lanes.delete(key);
  }

  /** The oldest waiting requests, up to the size limit or up to one that touches an account of a running group. */
  #takeGroup(lane: Lane<T>): T[] {
    let records = 0;
    const end = lane.waiting.findIndex((task) => {
      records += recordsOf(task.upsert);
      return records > MAX_GROUP_RECORDS || touches(task, lane.accounts);
    });
    const group = lane.waiting.splice(0, end === -1 ? lane.waiting.length : Math.max(end, 1));
    for (const { upsert } of group) lane.records -= recordsOf(upsert);
    return group;
  }
}

function touches({ upsert }: Task, accounts: ReadonlySet<string>): boolean {
  return accounts.size > 0 && upsert.patches.some(({ accountId }) => accounts.has(accountId));
}
