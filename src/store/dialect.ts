import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { NUMBERS_PER_SET } from './schema/change-set.js';

export type DialectName = 'sqlite' | 'postgres';

/**
 * Every difference between SQLite and PostgreSQL that queries for both databases need. Two differences live elsewhere:
 * column types in `schema/migrations/`, and the account write in `sqlite/` and `postgres/`.
 */
export interface Dialect {
  readonly name: DialectName;
  /** The lowest commit order that a running transaction may have: the change feed ends before it. */
  readonly feedHorizon: RawBuilder<number>;
  /** The commit order of a change that this transaction stores, without `feed_turn`. */
  readonly commitOrder: RawBuilder<number>;
  /** The number of a new change set, in a transaction that has the write lock. */
  readonly nextSet: RawBuilder<number>;
  /** Milliseconds since 1970 by the clock that all processes of the database share. */
  readonly clock: RawBuilder<number>;
  /** Ends a `select` whose rows must not change until the transaction ends. SQLite has one writer at a time. */
  readonly forShare: RawBuilder<unknown>;
  /** Ends a `select` that leaves out the rows of this table which another process has locked. */
  skipLocked(table: string): RawBuilder<unknown>;
  /** Waits for running account writes, and keeps new ones waiting until the transaction ends. */
  lockAccounts(transaction: QueryExecutorProvider): Promise<void>;
  /** A mark by which `haveEnded` recognizes the writes that are running now; undefined if there are none. */
  markWrites(db: QueryExecutorProvider): Promise<string | undefined>;
  /** Whether all writes that were running at a mark have ended. */
  haveEnded(db: QueryExecutorProvider, mark: string): Promise<boolean>;
  /** Condition of a `delete`: the row is one of `rows` (`from … limit …`), whichever key its table has. */
  isAmong(rows: RawBuilder<unknown>): RawBuilder<boolean>;
  /** A query that returns these texts, as a column of this name. */
  texts<Column extends string>(values: readonly string[], column: Column): RawBuilder<Record<Column, string>>;
  /** A literal of bytes, from hexadecimal digits. */
  bytes(hex: string): RawBuilder<Uint8Array>;
  /** The place of one byte in others, from 1; 0 if there is none. */
  indexOf(text: RawBuilder<unknown>, byte: RawBuilder<Uint8Array>): RawBuilder<number>;
  /** Bytes of JSON text, so that `->>` can read it. */
  json(bytes: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A row source: the `key` and `value` of each member of a JSON object, which is a text column. */
  members(column: string): RawBuilder<unknown>;
  /** A field of account `a` as JSON text, in the form that the triggers of attribute indexes store. */
  field(name: string): RawBuilder<string>;
  /**
   * The accounts of a set, as `a`, each looked up by its key. Left to choose, PostgreSQL may read all accounts of a
   * tenant that it has no statistics of yet.
   */
  accountsOf(tenantId: number, ids: RawBuilder<{ account_id: string }>): RawBuilder<unknown>;
  /** Follows other row sources: the set of a change, as `s`, looked up by its key for each of their rows. */
  setOfChange(tenantId: number, seq: RawBuilder<number>): RawBuilder<unknown>;
  /** Follows `account as a`. Between two ids SQLite would read the accounts of all parents. */
  readonly byParentIndex: RawBuilder<unknown>;
  /** Follows `account as a`: the index of archived accounts. */
  readonly archivedIndex: RawBuilder<unknown>;
}

/**
 * The commit order of a change: the number of this transaction, or of the last ended one if that is higher. A
 * transaction gets its number before it waits for a lock. Without the maximum, its change of an account could come
 * before the earlier change by a later transaction. Changes with the same number are ordered by `seq`. Only a retry needs
 * the maximum, since it locks before this statement: a first attempt that waits for a changed account fails.
 */
export const COMMIT_ORDER =
  'greatest(pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)';

export const SQLITE: Dialect = {
  name: 'sqlite',
  // One transaction writes at a time, so every change that is readable is final.
  feedHorizon: sql`${sql.lit(Number.MAX_SAFE_INTEGER)}`,
  commitOrder: sql`0`,
  nextSet: sql`
    (select (coalesce(max(seq), 0) / ${sql.lit(NUMBERS_PER_SET)} + 1) * ${sql.lit(NUMBERS_PER_SET)}
     from sqlite_sequence where name = 'change_set')`,
  clock: sql`cast(unixepoch('subsec') * 1000 as integer)`,
  forShare: sql``,
  skipLocked: () => sql``,
  lockAccounts: async () => {},
  // One transaction writes at a time: when this one runs, all earlier ones have ended.
  markWrites: async () => undefined,
  haveEnded: async () => true,
  isAmong: (rows) => sql`rowid in (select rowid ${rows})`,
  texts: (values, column) =>
    sql`select value as ${sql.ref(column)} from json_each(${JSON.stringify(values)})`,
  bytes: (hex) => sql`x'${sql.raw(hex)}'`,
  indexOf: (text, byte) => sql`instr(${text}, ${byte})`,
  json: (bytes) => sql`cast(${bytes} as text)`,
  members: (column) => sql`json_each(${sql.ref(column)})`,
  field: (name) => sql`(a.fields -> ${`$."${name}"`})`,
  accountsOf: (tenantId, ids) => sql`
    (${ids}) as few cross join account as a on a.tenant_id = ${tenantId} and a.account_id = few.account_id`,
  setOfChange: (tenantId, seq) => sql`
    cross join change_set as s on s.tenant_id = ${tenantId} and s.seq = ${setSeq(seq)}`,
  byParentIndex: sql`indexed by account_by_parent`,
  archivedIndex: sql`indexed by account_archived`,
};

export const POSTGRES: Dialect = {
  name: 'postgres',
  // A transaction that began earlier may commit later; none below this number is still running.
  feedHorizon: sql`
    (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + feed_turn from configuration)`,
  commitOrder: sql.raw(COMMIT_ORDER),
  nextSet: sql`nextval('change_set_seq')`,
  clock: sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  forShare: sql`for share`,
  skipLocked: (table) => sql`for update of ${sql.table(table)} skip locked`,
  lockAccounts: async (transaction) => {
    await sql`lock table account in share mode`.execute(transaction);
  },
  markWrites: async (db) => {
    // A new number, which is higher than those of all running transactions.
    const mark = sql<{ mark: string }>`select pg_current_xact_id()::text as mark`;
    return (await mark.execute(db)).rows[0]?.mark;
  },
  haveEnded: async (db, mark) => {
    const ended = sql<{ ended: boolean }>`
      select pg_snapshot_xmin(pg_current_snapshot()) >= ${mark}::xid8 as ended`;
    return (await ended.execute(db)).rows[0]?.ended === true;
  },
  // As an array: with a join PostgreSQL would read the whole table.
  isAmong: (rows) => sql`ctid = any(array(select ctid ${rows}))`,
  texts: (values, column) => sql`select unnest(${values}::text[]) as ${sql.ref(column)}`,
  bytes: (hex) => sql`'\\x${sql.raw(hex)}'::bytea`,
  indexOf: (text, byte) => sql`position(${byte} in ${text})`,
  json: (bytes) => sql`convert_from(${bytes}, 'UTF8')::json`,
  members: (column) => sql`json_each(${sql.ref(column)}::json)`,
  field: (name) => sql`(a.fields::json -> ${name}::text)::text`,
  accountsOf: (tenantId, ids) => sql`
    (${ids}) as few cross join lateral (
      select * from account as a where a.tenant_id = ${tenantId} and a.account_id = few.account_id offset 0
    ) as a`,
  setOfChange: (tenantId, seq) => sql`
    cross join lateral (
      select * from change_set as s where s.seq = ${setSeq(seq)} and s.tenant_id + 0 = ${tenantId} offset 0
    ) as s`,
  byParentIndex: sql``,
  archivedIndex: sql``,
};

function setSeq(seq: RawBuilder<number>): RawBuilder<number> {
  return sql`${seq} - ${seq} % ${sql.lit(NUMBERS_PER_SET)}`;
}
