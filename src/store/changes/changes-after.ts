import { type RawBuilder, sql } from 'kysely';

/** A place in a tenant's changes. FairScheduler are those of transactions; within one, and on SQLite, `seq` counts. */
export interface Position {
  readonly turn: number;
  readonly seq: number;
}

export const BEGINNING: Position = { turn: 0, seq: 0 };

export interface ChangeRange {
  /** Begins behind this place, in the direction of reading. */
  readonly from: Position;
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  readonly where: RawBuilder<unknown>;
}

/**
 * The next changes. In two parts: compared together with `turn`, `seq`, which is the number of the row in SQLite, would
 * not be looked up in its index, and all changes of the turn would be read.
 */
export function changesAfter<Row>(
  tenantId: number,
  columns: RawBuilder<unknown>,
  { from, direction, limit, where }: ChangeRange,
): RawBuilder<Row> {
  const behind = sql.raw(direction === 'asc' ? '>' : '<');
  const order = sql.raw(direction === 'asc' ? 'turn, seq' : 'turn desc, seq desc');
  const part = (condition: RawBuilder<unknown>) => sql`
    select * from (
      select ${columns} from account_history where tenant_id = ${tenantId} and ${condition} and ${where}
      order by ${order} limit ${limit}
    ) as part`;
  return sql`
    select * from (
      ${part(sql`turn = ${from.turn} and seq ${behind} ${from.seq}`)}
      union all ${part(sql`turn ${behind} ${from.turn}`)}
    ) as parts order by ${order} limit ${limit}`;
}
