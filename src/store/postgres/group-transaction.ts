import type pg from 'pg';
import { hasChanges, type UpsertCounts, type UpsertRequest } from '../requests.js';
import { NUMBERS_PER_SET, SETS_PER_BLOCK } from '../schema/change-set.js';
import { type AccountRow, accountFromRow } from '../schema/tables.js';
import { type AppliedGroup, applyGroup, type StoredAccount } from '../write/apply-group.js';
import { type BuiltHistory, buildChangeSets } from '../write/build-change-sets.js';
import { intArray, textArray } from './array-parameter.js';
import { type Connection, LONGEST_USUAL_TIMEOUT_MS, QUERY_TIMEOUT_MS } from './connection-pools.js';
import { SHORT_LOCK_TIMEOUT, statementTimeout } from './prepare-session.js';
import { statements } from './statements.js';
import { type PushedAccount, writeOf } from './write-statement.js';

type Statement = string | { readonly name: string; readonly text: string };

/** How much longer a retry may wait for locks: enough for a busy account, or for the server to drop a stuck process. */
const QUEUE_TIMEOUT_MS = 10_000;

/**
 * One attempt to store a group of requests of one tenant.
 *
 *   first attempt (optimistic):  read ──▶ applyGroup ──▶ check revisions and write   (two statements)
 *   retry (pessimistic):         begin, lock and read ──▶ applyGroup ──▶ write, commit
 *
 * - The first attempt takes no lock while it reads, so accounts that do not change cost no write. Writes and commit are
 *   sent together, so no lock is held while the server waits for this process.
 * - If another process has written or locked one of the accounts, the attempt fails with a code of `LOST_RACES`, and
 *   nothing is stored.
 * - A retry holds its row locks before it writes. It can still fail if another process creates the same account.
 */
export class GroupTransaction {
  readonly #connection: Connection;
  readonly #group: readonly UpsertRequest[];
  readonly #tenantId: number;
  /** The usual timeout plus a millisecond for each record. */
  readonly #timeout: number;

  constructor(connection: Connection, group: readonly UpsertRequest[]) {
    this.#connection = connection;
    this.#group = group;
    this.#tenantId = group[0]?.tenantId ?? Number.NaN;
    this.#timeout = group.reduce((sum, { patches }) => sum + patches.length, QUERY_TIMEOUT_MS);
  }

  async run({ lockFirst }: { lockFirst: boolean }): Promise<readonly UpsertCounts[]> {
    const { rows, blocks } = await this.#read(lockFirst);
    const stored = new Map(rows.map((row) => [row.account_id, row]));
    const applied = applyGroup(this.#group, (_tenantId, accountId) => {
      const row = stored.get(accountId);
      return row && storedAccount(row);
    });
    if (applied.accounts.length > 0 || this.#group.some(({ pushed }) => pushed !== undefined)) {
      const built = buildChangeSets(applied.history, setNumbers(blocks));
      await this.#write(applied, built, stored, lockFirst);
    } else if (lockFirst) await this.#send('rollback');
    return applied.counts;
  }

  async #read(lock: boolean): Promise<ReadGroup> {
    const ids = new Set<string>();
    let changes = 0;
    for (const { patches } of this.#group) {
      changes += patches.length;
      for (const { accountId } of patches) ids.add(accountId);
    }
    const values = textArray([...ids].sort());
    // There are never more sets than changes. A request may have only rejected records.
    const blocks = Math.max(Math.ceil(changes / SETS_PER_BLOCK), 1);
    const results = await this.#sendAll(() => {
      if (lock) return [...this.#lockAndRead(values), this.#send(statements.setNumbers, null, blocks)];
      const read = () => this.#send(statements.read, values, blocks);
      return this.#isLong ? [this.#begin(), read(), this.#send('commit')] : [read()];
    });
    const rows: (AccountRow & { numbers: string | null })[] = results.flatMap((result) => result.rows ?? []);
    return {
      rows: rows.filter(({ numbers }) => numbers === null),
      blocks: rows.flatMap(({ numbers }) => numbers?.split(',').map(Number) ?? []),
    };
  }

  /**
   * The server's timeout ends the wait before the client's does: the error is definite and the connection stays
   * usable.
   */
  #lockAndRead(values: Buffer): Promise<pg.QueryResult>[] {
    const limit = this.#timeout + QUEUE_TIMEOUT_MS;
    const settings = `set local lock_timeout = 0; set local statement_timeout = ${limit}`;
    return [
      this.#send(`begin; ${settings}`),
      this.#sendFor(statementTimeout(limit), statements.lockAndRead, values),
    ];
  }

  get #isLong(): boolean {
    return this.#timeout > LONGEST_USUAL_TIMEOUT_MS;
  }

  #begin(): Promise<pg.QueryResult> {
    const longTimeout = `; set local statement_timeout = ${statementTimeout(this.#timeout)}`;
    return this.#send(`begin${this.#isLong ? longTimeout : ''}`);
  }

  async #write(
    { counts, accounts }: AppliedGroup,
    { sets, erasures }: BuiltHistory,
    stored: ReadonlyMap<string, AccountRow>,
    isLocked: boolean,
  ): Promise<void> {
    const sorted = accounts.toSorted((a, b) => (a.account.accountId < b.account.accountId ? -1 : 1));
    const read = [...stored.values()];
    const { statement, values } = writeOf({
      accounts: sorted,
      sets,
      erasures,
      pushed: pushedBy(this.#group),
      read,
    });
    const write = () => this.#send(statement, ...values);
    const mustLock = !isLocked && isMixed(counts);
    if (!isLocked && !mustLock && !this.#isLong) {
      await this.#sendAll(() => [write()]);
      return;
    }
    const results = await this.#sendAll(() => [
      isLocked ? this.#send(`set local lock_timeout = '${SHORT_LOCK_TIMEOUT}'`) : this.#begin(),
      ...(mustLock ? [this.#lock(stored)] : []),
      write(),
      this.#send('commit'),
    ]);
    if (results.at(-1)?.command !== 'COMMIT') throw new Error('The transaction was not committed.');
  }

  #lock(stored: ReadonlyMap<string, AccountRow>): Promise<pg.QueryResult> {
    const rows = [...stored.values()].sort((a, b) => (a.account_id < b.account_id ? -1 : 1));
    const ids = textArray(rows.map((row) => row.account_id));
    const revisions = intArray(rows.map((row) => row.revision));
    return this.#send(statements.lockAsRead, ids, revisions, rows.length);
  }

  /** Waits for all responses, so that none is pending when the connection is released, then throws the first error. */
  async #sendAll(send: () => readonly Promise<pg.QueryResult>[]): Promise<pg.QueryResult[]> {
    const settled = await Promise.allSettled(this.#connection.inOneWrite(send));
    return settled.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
  }

  #send(statement: Statement, ...values: unknown[]): Promise<pg.QueryResult> {
    return this.#sendFor(this.#timeout, statement, ...values);
  }

  #sendFor(timeoutMs: number, statement: Statement, ...values: unknown[]): Promise<pg.QueryResult> {
    const query =
      typeof statement === 'string'
        ? { text: statement }
        : { ...statement, values: [this.#tenantId, ...values] };
    const config = { ...query, query_timeout: timeoutMs };
    return this.#connection.query(config);
  }
}

interface ReadGroup {
  readonly rows: readonly AccountRow[];
  /** The first numbers of blocks for new change sets. */
  readonly blocks: readonly number[];
}

function setNumbers(blocks: readonly number[]): () => number {
  let used = 0;
  return () => {
    const block = blocks[Math.floor(used / SETS_PER_BLOCK)] as number;
    const seq = block + (used % SETS_PER_BLOCK) * NUMBERS_PER_SET;
    used += 1;
    return seq;
  };
}

/** What a group has pushed, in the order in which rows are locked. */
function pushedBy(group: readonly UpsertRequest[]): PushedAccount[] {
  const bySource = new Map<string, Set<string>>();
  for (const { pushed } of group) {
    if (pushed === undefined) continue;
    const ids = bySource.get(pushed.source) ?? new Set();
    bySource.set(pushed.source, ids);
    for (const id of pushed.accountIds) ids.add(id);
  }
  const sources = [...bySource].sort(([a], [b]) => (a < b ? -1 : 1));
  return sources.flatMap(([source, ids]) => [...ids].sort().map((accountId) => ({ source, accountId })));
}

function storedAccount(row: AccountRow): StoredAccount {
  const { first_change: firstChange, last_change: seq, last_place: place } = row;
  return {
    account: accountFromRow(row),
    firstChange,
    lastChange: seq === null || place === null ? null : { seq, place },
  };
}

/**
 * Whether a request changes some records, and leaves others unchanged or skips them. Then all accounts of the group are
 * locked: the others could otherwise be overwritten meanwhile, and the result would mix two requests. In other groups the
 * updates lock every account that matters.
 */
function isMixed(counts: readonly UpsertCounts[]): boolean {
  return counts.some((count) => count.unchanged + count.skipped > 0 && hasChanges(count));
}
