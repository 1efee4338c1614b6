import type pg from 'pg';
import type { UpsertCounts, UpsertRequest } from '../requests.js';
import { type AccountRow, accountFromRow, rowFromAccount } from '../schema/tables.js';
import { type AccountWrite, type AppliedGroup, applyGroup } from '../write/apply-group.js';
import { bigintArray, intArray, textArray } from './array-parameter.js';
import { type Connection, LONGEST_USUAL_TIMEOUT_MS, QUERY_TIMEOUT_MS } from './connection-pools.js';
import { statementTimeout } from './prepare-session.js';
import { statements } from './statements.js';

type Statement = string | { readonly name: string; readonly text: string };

/**
 * Lock timeout of writes that are sent together with their commit. Such a write must not wait long: if this side timed
 * out first, it would not know whether the commit took place. After 500 ms the server cancels the write, and the retry
 * waits for the lock before it sends a commit.
 */
const SHORT_LOCK_TIMEOUT = "set local lock_timeout = '500ms'";
/** How much longer a retry may wait for locks: enough for a busy account, or for the server to drop a stuck process. */
const QUEUE_TIMEOUT_MS = 10_000;

/**
 * One attempt to store a group of requests of one tenant.
 *
 *   first attempt (optimistic):  read ──▶ applyGroup ──▶ begin, check revisions, write, commit   (two round trips)
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
    const rows = await this.#read(lockFirst);
    const stored = new Map(rows.map((row) => [row.account_id, row]));
    const applied = applyGroup(this.#group, (_tenantId, accountId) => {
      const row = stored.get(accountId);
      return row && accountFromRow(row);
    });
    if (applied.writes.length > 0) await this.#write(applied, stored, lockFirst);
    else if (lockFirst) await this.#send('rollback');
    return applied.counts;
  }

  async #read(lock: boolean): Promise<AccountRow[]> {
    const ids = new Set(this.#group.flatMap(({ patches }) => patches.map(({ accountId }) => accountId)));
    const values = textArray([...ids].sort());
    if (lock) return this.#lockAndRead(values);
    if (!this.#isLong) return (await this.#send(statements.read, values)).rows;
    const [, result] = await this.#sendAll(() => [
      this.#begin(),
      this.#send(statements.read, values),
      this.#send('commit'),
    ]);
    return result?.rows ?? [];
  }

  /**
   * The server's timeout ends the wait before the client's does: the error is definite and the connection stays
   * usable.
   */
  async #lockAndRead(values: Buffer): Promise<AccountRow[]> {
    const limit = this.#timeout + QUEUE_TIMEOUT_MS;
    const settings = `set local lock_timeout = 0; set local statement_timeout = ${limit}`;
    const [, result] = await this.#sendAll(() => [
      this.#send(`begin; ${settings}`),
      this.#sendFor(statementTimeout(limit), statements.lockAndRead, values),
    ]);
    return result?.rows ?? [];
  }

  get #isLong(): boolean {
    return this.#timeout > LONGEST_USUAL_TIMEOUT_MS;
  }

  #begin(): Promise<pg.QueryResult> {
    const longTimeout = `; set local statement_timeout = ${statementTimeout(this.#timeout)}`;
    return this.#send(`begin; ${SHORT_LOCK_TIMEOUT}${this.#isLong ? longTimeout : ''}`);
  }

  async #write(
    { counts, writes, history }: AppliedGroup,
    stored: ReadonlyMap<string, AccountRow>,
    isLocked: boolean,
  ): Promise<void> {
    const sorted = writes.toSorted((a, b) => (a.account.accountId < b.account.accountId ? -1 : 1));
    const results = await this.#sendAll(() => [
      ...(isLocked ? [this.#send(SHORT_LOCK_TIMEOUT)] : [this.#begin(), ...this.#lock(counts, stored)]),
      ...this.#update(rowsOf(sorted, false), stored),
      ...this.#insert(rowsOf(sorted, true)),
      this.#appendHistory(history),
      ...this.#eraseHistory(history),
      this.#send('commit'),
    ]);
    if (results.at(-1)?.command !== 'COMMIT') throw new Error('The transaction was not committed.');
  }

  /**
   * Locks all accounts in a group where a request changes some records and leaves others unchanged. Without the lock,
   * the unchanged ones could be overwritten meanwhile, and the result would mix two requests. In other groups the
   * updates lock every account that matters.
   */
  #lock(counts: readonly UpsertCounts[], stored: ReadonlyMap<string, AccountRow>): Promise<pg.QueryResult>[] {
    const isMixed = counts.some(
      ({ created, updated, unchanged, deleted }) => unchanged > 0 && created + updated + deleted > 0,
    );
    if (!isMixed) return [];
    const rows = [...stored.values()].sort((a, b) => (a.account_id < b.account_id ? -1 : 1));
    const ids = textArray(rows.map((row) => row.account_id));
    const revisions = intArray(rows.map((row) => row.revision));
    return [this.#send(statements.lockAsRead, ids, revisions, rows.length)];
  }

  #update(rows: readonly AccountRow[], stored: ReadonlyMap<string, AccountRow>): Promise<pg.QueryResult>[] {
    if (rows.length === 0) return [];
    const revisionsRead = intArray(rows.map((row) => stored.get(row.account_id)?.revision ?? 0));
    const createdAt = bigintArray(rows.map((row) => row.created_at));
    const deletedAt = bigintArray(rows.map((row) => row.deleted_at));
    const values = [...columns(rows), createdAt, deletedAt, revisionsRead, rows.length];
    return [this.#send(statements.update, ...values)];
  }

  #insert(rows: readonly AccountRow[]): Promise<pg.QueryResult>[] {
    if (rows.length === 0) return [];
    const createdAt = bigintArray(rows.map((row) => row.created_at));
    const deletedAt = bigintArray(rows.map((row) => row.deleted_at));
    return [this.#send(statements.insert, ...columns(rows), createdAt, deletedAt)];
  }

  #appendHistory(history: AppliedGroup['history']): Promise<pg.QueryResult> {
    return this.#send(
      statements.appendHistory,
      textArray(history.map((entry) => entry.accountId)),
      intArray(history.map((entry) => entry.revision)),
      bigintArray(history.map((entry) => entry.request.at)),
      textArray(history.map((entry) => entry.request.requestId)),
      textArray(history.map((entry) => entry.request.keyId)),
      textArray(history.map((entry) => JSON.stringify(entry.changes))),
      textArray(history.map((entry) => entry.kind)),
    );
  }

  #eraseHistory(history: AppliedGroup['history']): Promise<pg.QueryResult>[] {
    const deletions = history.filter(({ kind }) => kind === 'deleted');
    if (deletions.length === 0) return [];
    const ids = textArray(deletions.map(({ accountId }) => accountId));
    return [this.#send(statements.eraseHistory, ids, intArray(deletions.map(({ revision }) => revision)))];
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

function rowsOf(writes: readonly AccountWrite[], areNew: boolean): AccountRow[] {
  return writes
    .filter(({ before }) => (before === undefined) === areNew)
    .map(({ account }) => rowFromAccount(account));
}

function columns(rows: readonly AccountRow[]): Buffer[] {
  return [
    textArray(rows.map((row) => row.account_id)),
    textArray(rows.map((row) => row.parent_account_id)),
    textArray(rows.map((row) => row.name)),
    textArray(rows.map((row) => row.fields)),
    intArray(rows.map((row) => row.revision)),
    bigintArray(rows.map((row) => row.updated_at)),
  ];
}
