import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { fitting, sizeOf } from '../bounded-read.js';
import { BEGINNING, type Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';

export interface SetRange {
  /** The range starts after the set with this position, in the direction of reading. */
  readonly from: Position;
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  readonly where: RawBuilder<unknown>;
}

/** The columns of `change_set` that make up a `Position`. */
export const POSITION_COLUMNS = sql`turn as "commitOrder", seq`;

/** The number of changes of a set. A deletion of an archived account counts twice. */
export const CHANGES = sql`created + updated + archived + restored + deleted`;

/**
 * Query for the change sets after a position; `columns` must include `POSITION_COLUMNS`. It is a union of two parts. In
 * SQLite `seq` is the rowid, and a comparison of `(turn, seq)` with a row value would not use the index for `seq`: it
 * would read all sets with the same `turn`.
 */
export function setsAfter<Row>(
  tenantId: number,
  columns: RawBuilder<unknown>,
  { from, direction, limit, where }: SetRange,
): RawBuilder<Row> {
  const beyond = sql.raw(direction === 'asc' ? '>' : '<');
  const sorting = sql.raw(direction);
  const part = (condition: RawBuilder<unknown>) => sql`
    select * from (
      select ${columns} from change_set where tenant_id = ${tenantId} and ${condition} and ${where}
      order by turn ${sorting}, seq ${sorting} limit ${limit}
    ) as part`;
  return sql`
    select * from (
      ${part(sql`turn = ${from.commitOrder} and seq ${beyond} ${from.seq}`)}
      union all ${part(sql`turn ${beyond} ${from.commitOrder}`)}
    ) as parts order by parts."commitOrder" ${sorting}, parts.seq ${sorting} limit ${limit}`;
}

/**
 * Condition: the set has one of these numbers. They are unique in a database, and the tenant is compared in a way that
 * uses no index: PostgreSQL may otherwise read all sets of a tenant that it has no statistics of yet.
 */
export function isAmongSets(tenantId: number, seqs: readonly number[]): RawBuilder<boolean> {
  return sql`seq in (${sql.join(seqs)}) and tenant_id + 0 = ${tenantId}`;
}

const SETS_PER_PAGE = 500;

/** Reads the change sets of a tenant in the order of the feed, in pages that are limited in sets and bytes. */
export async function* scanSets(
  db: Kysely<Tables>,
  tenantId: number,
  after: Position = BEGINNING,
): AsyncGenerator<Selectable<Tables['change_set']>[]> {
  for (let from = after; ; ) {
    const range = { from, direction: 'asc', limit: SETS_PER_PAGE, where: sql`1 = 1` } as const;
    const columns = sql`${POSITION_COLUMNS}, ${sizeOf('entries')} as size`;
    const { rows } = await setsAfter<Position & { size: number }>(tenantId, columns, range).execute(db);
    const page = rows.slice(0, fitting(rows));
    const last = page.at(-1);
    if (last === undefined) return;
    const seqs = page.map(({ seq }) => seq);
    yield await db
      .selectFrom('change_set')
      .selectAll()
      .where(isAmongSets(tenantId, seqs))
      .orderBy('turn')
      .orderBy('seq')
      .execute();
    from = last;
  }
}
