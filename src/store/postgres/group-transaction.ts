import type pg from 'pg';
import { type AccountWrite, type AppliedGroup, applyGroup } from '../apply-group.js';
import type { UpsertCounts, UpsertRequest } from '../store.js';
import { type AccountRow, accountFromRow, rowFromAccount } from '../tables.js';
import type { Connection } from './connections.js';
import { statements } from './statements.js';

/** For the statements of a group, and a millisecond more for each record. */
const TIMEOUT_MS = 5_000;

type Answer = pg.QueryResult;

/**
 * One try at storing a group. The first reads without a lock, so that accounts that do not change cost no write, and
 * then sends lock, check, writes and commit in one go: no lock ever waits for this process. Should another process
 * have written in between, a later try locks before it reads, and can lose only a race to create an account.
 */
export class GroupTransaction {
  readonly #connection: Connection;
  readonly #group: readonly UpsertRequest[];
  readonly #tenantId: number;
  readonly #timeout: number;

  constructor(connection: Connection, group: readonly UpsertRequest[]) {
    this.#connection = connection;
    this.#group = group;
    this.#tenantId = group[0]?.tenantId ?? Number.NaN;
    this.#timeout = group.reduce((sum, { patches }) => sum + patches.length, TIMEOUT_MS);
  }

  async run({ lockFirst }: { lockFirst: boolean }): Promise<readonly UpsertCounts[]> {
    const rows = await this.#read(lockFirst);
    const stored = new Map(rows.map((row) => [row.account_id, row]));
    const applied = applyGroup(this.#group, (_tenantId, accountId) => {
      const row = stored.get(accountId);
      return row && accountFromRow(row);
    });
    if (applied.writes.length > 0) await this.#write(applied, lockFirst ? undefined : stored);
    else if (lockFirst) await this.#send('rollback');
    return applied.counts;
  }

  async #read(lock: boolean): Promise<AccountRow[]> {
    const ids = new Set(this.#group.flatMap(({ patches }) => patches.map(({ accountId }) => accountId)));
    if (!lock) return (await this.#send(statements.read, [...ids])).rows;
    const [, answer] = await together([this.#send('begin'), this.#send(statements.lockAndRead, [...ids])]);
    return answer?.rows ?? [];
  }

  /** `stored`, where they are not locked yet: they have to be as they were read. */
  async #write({ writes, history }: AppliedGroup, stored?: ReadonlyMap<string, AccountRow>): Promise<void> {
    // In one order everywhere: two processes that create the same accounts then wait for each other one way only.
    const sorted = writes.toSorted((a, b) => (a.account.accountId < b.account.accountId ? -1 : 1));
    const created = sorted.filter(({ isNew }) => isNew);
    const updated = sorted.filter(({ isNew }) => !isNew);
    const answers = await together([
      ...(stored === undefined ? [] : [this.#send('begin'), ...this.#lock(updated, stored)]),
      ...this.#insert(created),
      ...this.#update(updated),
      this.#send(
        statements.appendHistory,
        history.map((entry) => entry.accountId),
        history.map((entry) => entry.revision),
        history.map((entry) => entry.request.at),
        history.map((entry) => entry.request.requestId),
        history.map((entry) => entry.request.keyId),
        history.map((entry) => JSON.stringify(entry.changes)),
      ),
      this.#send('commit'),
    ]);
    if (answers.at(-1)?.command !== 'COMMIT') throw new Error('The transaction was not committed.');
  }

  #lock(updated: readonly AccountWrite[], stored: ReadonlyMap<string, AccountRow>): Promise<Answer>[] {
    if (updated.length === 0) return [];
    const ids = updated.map(({ account }) => account.accountId);
    const revisions = ids.map((id) => stored.get(id)?.revision);
    return [this.#send(statements.lockAsRead, ids, revisions, ids.length)];
  }

  #insert(created: readonly AccountWrite[]): Promise<Answer>[] {
    if (created.length === 0) return [];
    const rows = created.map(({ account }) => rowFromAccount(account));
    const createdAt = rows.map((row) => row.created_at);
    const [ids, parents, names, fields, revisions, updatedAt] = columns(rows);
    return [this.#send(statements.insert, ids, parents, names, fields, revisions, createdAt, updatedAt)];
  }

  #update(updated: readonly AccountWrite[]): Promise<Answer>[] {
    if (updated.length === 0) return [];
    const rows = updated.map(({ account }) => rowFromAccount(account));
    return [this.#send(statements.update, ...columns(rows))];
  }

  #send(statement: string | { name: string; text: string }, ...values: unknown[]): Promise<Answer> {
    const query =
      typeof statement === 'string'
        ? { text: statement }
        : { ...statement, values: [this.#tenantId, ...values] };
    const config = { ...query, query_timeout: this.#timeout };
    return this.#connection.query(config);
  }
}

function columns(rows: readonly AccountRow[]) {
  return [
    rows.map((row) => row.account_id),
    rows.map((row) => row.parent_account_id),
    rows.map((row) => row.name),
    rows.map((row) => row.fields),
    rows.map((row) => row.revision),
    rows.map((row) => row.updated_at),
  ] as const;
}

/** Waits for all answers, so that none is left behind on the connection, and fails with the first failure. */
async function together(answers: readonly Promise<Answer>[]): Promise<Answer[]> {
  const settled = await Promise.allSettled(answers);
  return settled.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  });
}
