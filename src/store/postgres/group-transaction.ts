import type pg from 'pg';
import type { UpsertCounts, UpsertRequest } from '../requests.js';
import { type AccountRow, accountFromRow, rowFromAccount } from '../schema/tables.js';
import { type AccountWrite, type AppliedGroup, applyGroup } from '../write/apply-group.js';
import { bigintArray, intArray, textArray } from './array-parameter.js';
import { type Connection, LONGEST_USUAL_TIMEOUT_MS, QUERY_TIMEOUT_MS } from './connection-pools.js';
import { statementTimeout } from './prepare-session.js';
import { statements } from './statements.js';

type Answer = pg.QueryResult;
type Statement = string | { readonly name: string; readonly text: string };

/**
 * While a commit is on its way behind the writes. One that has to wait has most likely lost a race: it ends here, before
 * this side gives up and cannot know whether the commit took place, and the next try queues.
 */
const SHORT_LOCK_TIMEOUT = "set local lock_timeout = '500ms'";
/** For the locks of a group that queues: long enough for a hot account, and for a process that is stuck to be dropped. */
const QUEUE_TIMEOUT_MS = 10_000;

/**
 * One try at storing a group. The first is optimistic: it reads without a lock, so that accounts that do not change cost
 * no write, and then sends checks, writes and commit in one go, so that no lock waits for this process. Should another
 * process have written or locked one of the accounts, nothing is stored. A later try locks before it reads: it queues
 * behind the other processes, without a commit under way, and can lose only a race to create an account.
 */
export class GroupTransaction {
  readonly #connection: Connection;
  readonly #group: readonly UpsertRequest[];
  readonly #tenantId: number;
  /** A millisecond more than usual for each record. */
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
    if (lock) return this.#queue(values);
    if (!this.#isLong) return (await this.#send(statements.read, values)).rows;
    const [, answer] = await this.#together(() => [
      this.#begin(),
      this.#send(statements.read, values),
      this.#send('commit'),
    ]);
    return answer?.rows ?? [];
  }

  /** The server ends the wait, so that it ends with an error that says so, on a connection that stays of use. */
  async #queue(values: Buffer): Promise<AccountRow[]> {
    const limit = this.#timeout + QUEUE_TIMEOUT_MS;
    const settings = `set local lock_timeout = 0; set local statement_timeout = ${limit}`;
    const [, answer] = await this.#together(() => [
      this.#send(`begin; ${settings}`),
      this.#sendFor(statementTimeout(limit), statements.lockAndRead, values),
    ]);
    return answer?.rows ?? [];
  }

  get #isLong(): boolean {
    return this.#timeout > LONGEST_USUAL_TIMEOUT_MS;
  }

  #begin(): Promise<Answer> {
    const patience = `; set local statement_timeout = ${statementTimeout(this.#timeout)}`;
    return this.#send(`begin; ${SHORT_LOCK_TIMEOUT}${this.#isLong ? patience : ''}`);
  }

  async #write(
    { counts, writes, history }: AppliedGroup,
    stored: ReadonlyMap<string, AccountRow>,
    isLocked: boolean,
  ): Promise<void> {
    const sorted = writes.toSorted((a, b) => (a.account.accountId < b.account.accountId ? -1 : 1));
    const answers = await this.#together(() => [
      ...(isLocked ? [this.#send(SHORT_LOCK_TIMEOUT)] : [this.#begin(), ...this.#lock(counts, stored)]),
      ...this.#update(rowsOf(sorted, false), stored),
      ...this.#insert(rowsOf(sorted, true)),
      this.#appendHistory(history),
      ...this.#eraseHistory(history),
      this.#send('commit'),
    ]);
    if (answers.at(-1)?.command !== 'COMMIT') throw new Error('The transaction was not committed.');
  }

  /**
   * A request of which some records change and others do not has to find all of them as they were read, or it would
   * be mixed with another that did the reverse. What changes is locked by its update, so with no such request, nothing
   * needs to be locked before.
   */
  #lock(counts: readonly UpsertCounts[], stored: ReadonlyMap<string, AccountRow>): Promise<Answer>[] {
    const isMixed = counts.some(
      ({ created, updated, unchanged, deleted }) => unchanged > 0 && created + updated + deleted > 0,
    );
    if (!isMixed) return [];
    const rows = [...stored.values()].sort((a, b) => (a.account_id < b.account_id ? -1 : 1));
    const ids = textArray(rows.map((row) => row.account_id));
    const revisions = intArray(rows.map((row) => row.revision));
    return [this.#send(statements.lockAsRead, ids, revisions, rows.length)];
  }

  #update(rows: readonly AccountRow[], stored: ReadonlyMap<string, AccountRow>): Promise<Answer>[] {
    if (rows.length === 0) return [];
    const revisionsRead = intArray(rows.map((row) => stored.get(row.account_id)?.revision ?? 0));
    const createdAt = bigintArray(rows.map((row) => row.created_at));
    const deletedAt = bigintArray(rows.map((row) => row.deleted_at));
    const values = [...columns(rows), createdAt, deletedAt, revisionsRead, rows.length];
    return [this.#send(statements.update, ...values)];
  }

  #insert(rows: readonly AccountRow[]): Promise<Answer>[] {
    if (rows.length === 0) return [];
    const createdAt = bigintArray(rows.map((row) => row.created_at));
    const deletedAt = bigintArray(rows.map((row) => row.deleted_at));
    return [this.#send(statements.insert, ...columns(rows), createdAt, deletedAt)];
  }

  #appendHistory(history: AppliedGroup['history']): Promise<Answer> {
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

  #eraseHistory(history: AppliedGroup['history']): Promise<Answer>[] {
    const deletions = history.filter(({ kind }) => kind === 'deleted');
    if (deletions.length === 0) return [];
    const ids = textArray(deletions.map(({ accountId }) => accountId));
    return [this.#send(statements.eraseHistory, ids, intArray(deletions.map(({ revision }) => revision)))];
  }

  /** Waits for all answers, so that none is left behind on the connection, and fails with the first failure. */
  async #together(send: () => readonly Promise<Answer>[]): Promise<Answer[]> {
    const settled = await Promise.allSettled(this.#connection.inOnePiece(send));
    return settled.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    });
  }

  #send(statement: Statement, ...values: unknown[]): Promise<Answer> {
    return this.#sendFor(this.#timeout, statement, ...values);
  }

  #sendFor(timeoutMs: number, statement: Statement, ...values: unknown[]): Promise<Answer> {
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
