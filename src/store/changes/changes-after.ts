import { type RawBuilder, sql } from 'kysely';

/**
 * A position in the change feed of a tenant: `commitOrder` first, then `seq`. On PostgreSQL `commitOrder` is the number
 * of a transaction, and `seq` orders the changes within it. On SQLite it stays the same until a restore or a copy, and
 * `seq` alone gives the order. The column in the database is called `turn`.
 */
export interface Position {
  readonly commitOrder: number;
  readonly seq: number;
}

/** The columns of `account_history` that make up a `Position`. */
export const POSITION_COLUMNS = sql`turn as "commitOrder", seq`;

/** Before the first change. */
export const BEGINNING: Position = { commitOrder: 0, seq: 0 };

export interface ChangeRange {
  /** The range starts after this position, in the direction of reading. */
  readonly from: Position;
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  readonly where: RawBuilder<unknown>;
}

/**
 * Query for the changes after a position; `columns` must include `POSITION_COLUMNS`. It is a union of two parts. In
 * SQLite `seq` is the rowid, and a comparison of `(turn, seq)` with a row value would not use the index for `seq`: it
 * would read all changes with the same `turn`.
 */
export function changesAfter<Row>(
  tenantId: number,
  columns: RawBuilder<unknown>,
  { from, direction, limit, where }: ChangeRange,
): RawBuilder<Row> {
  const beyond = sql.raw(direction === 'asc' ? '>' : '<');
  const sorting = sql.raw(direction);
  const part = (condition: RawBuilder<unknown>) => sql`
    select * from (
      select ${columns} from account_history where tenant_id = ${tenantId} and ${condition} and ${where}
      order by turn ${sorting}, seq ${sorting} limit ${limit}
    ) as part`;
  return sql`
    select * from (
      ${part(sql`turn = ${from.commitOrder} and seq ${beyond} ${from.seq}`)}
      union all ${part(sql`turn ${beyond} ${from.commitOrder}`)}
    ) as parts order by parts."commitOrder" ${sorting}, parts.seq ${sorting} limit ${limit}`;
}
