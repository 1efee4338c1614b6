import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { ERASED_CHANGES } from './changes/change-kind.js';

export type DialectName = 'sqlite' | 'postgres';

/** Identifies one row of `account_history`. */
export interface HistoryKey {
  readonly seq: number;
  readonly account_id: string;
  readonly revision: number;
}

/**
 * Every difference between SQLite and PostgreSQL that queries for both databases need. Two differences live elsewhere:
 * column types in `schema/migrations/`, and the account write in `sqlite/` and `postgres/`.
 */
export interface Dialect {
  readonly name: DialectName;
  /** The lowest commit order that a running transaction may have: the change feed ends before it. */
  readonly feedHorizon: RawBuilder<number>;
  /** Ends a `select` whose rows must not change until the transaction ends. SQLite has one writer at a time. */
  readonly forShare: RawBuilder<unknown>;
  /** Ends a `select` that leaves out the rows of this table which another process has locked. */
  skipLocked(table: string): RawBuilder<unknown>;
  /** Waits for running account writes, and keeps new ones waiting until the transaction ends. */
  lockAccounts(transaction: QueryExecutorProvider): Promise<void>;
  /** Condition of a `delete`: the row is one of `rows` (`from … limit …`), whichever key its table has. */
  isAmong(rows: RawBuilder<unknown>): RawBuilder<boolean>;
  /** Deletes entries of the history, except those that another process has locked to erase their values. */
  deleteHistory(tenantId: number, entries: readonly HistoryKey[]): RawBuilder<unknown>;
  /** SQL text: the column `changes` with every value replaced by a mark, so that it stays visible where one was. */
  readonly erasedChanges: string;
  /** A field of account `a` as JSON text, in the form that the triggers of attribute indexes store. */
  field(name: string): RawBuilder<string>;
  /**
   * The accounts of a set, as `a`, each looked up by its key. Left to choose, PostgreSQL may read all accounts of a
   * tenant that it has no statistics of yet.
   */
  accountsOf(tenantId: number, ids: RawBuilder<{ account_id: string }>): RawBuilder<unknown>;
  /** Follows `account as a`. Between two ids SQLite would read the accounts of all parents. */
  readonly byParentIndex: RawBuilder<unknown>;
}

export const SQLITE: Dialect = {
  name: 'sqlite',
  // One transaction writes at a time, so every change that is readable is final.
  feedHorizon: sql`${sql.lit(Number.MAX_SAFE_INTEGER)}`,
  forShare: sql``,
  skipLocked: () => sql``,
  lockAccounts: async () => {},
  isAmong: (rows) => sql`rowid in (select rowid ${rows})`,
  deleteHistory: (_tenantId, entries) => sql`
    delete from account_history where seq in (${sql.join(entries.map(({ seq }) => seq))}) returning 1`,
  erasedChanges: ERASED_CHANGES.sqlite,
  field: (name) => sql`(a.fields -> ${`$."${name}"`})`,
  accountsOf: (tenantId, ids) => sql`
    (${ids}) as few cross join account as a on a.tenant_id = ${tenantId} and a.account_id = few.account_id`,
  byParentIndex: sql`indexed by account_by_parent`,
};

export const POSTGRES: Dialect = {
  name: 'postgres',
  // A transaction that began earlier may commit later; none below this number is still running.
  feedHorizon: sql`
    (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + feed_turn from configuration)`,
  forShare: sql`for share`,
  skipLocked: (table) => sql`for update of ${sql.table(table)} skip locked`,
  lockAccounts: async (transaction) => {
    await sql`lock table account in share mode`.execute(transaction);
  },
  // As an array: with a join PostgreSQL would read the whole table.
  isAmong: (rows) => sql`ctid = any(array(select ctid ${rows}))`,
  deleteHistory: (tenantId, entries) => sql`
    delete from account_history where ctid = any(array(
      select place from unnest(
        ${entries.map(({ account_id }) => account_id)}::text[], ${entries.map(({ revision }) => revision)}::int[]
      ) as removed (id, removed_revision)
      cross join lateral (
        select ctid as place from account_history
        where tenant_id = ${tenantId} and account_id = id and revision = removed_revision for update skip locked
      ) as found
    )) returning 1`,
  erasedChanges: ERASED_CHANGES.postgres,
  field: (name) => sql`(a.fields::json -> ${name}::text)::text`,
  accountsOf: (tenantId, ids) => sql`
    (${ids}) as few cross join lateral (
      select * from account as a where a.tenant_id = ${tenantId} and a.account_id = few.account_id offset 0
    ) as a`,
  byParentIndex: sql``,
};
