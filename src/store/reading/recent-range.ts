import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.js';
import { type AccountFilter, looksInside } from './account-filter.js';
import { changesBehind, type Position } from './changes-behind.js';
import { sizeOf } from './page-bytes.js';

export interface RecentRange {
  /** Begins behind this place, in the direction of reading. */
  readonly from: Position;
  /** What came later does not count: each account stands where its last change up to here put it. */
  readonly until: Position;
  readonly direction: 'asc' | 'desc';
  readonly filters: readonly AccountFilter[];
  readonly limit: number;
}

export function changesOf(tenantId: number, range: RecentRange): RawBuilder<unknown> {
  const { from, until, direction, limit } = range;
  const where = sql`(turn, seq) <= (${until.turn}, ${until.seq})`;
  return changesBehind(tenantId, sql`turn, seq, account_id, revision`, { from, direction, limit, where });
}

/**
 * As much of a range as reads no more bytes, and one account, where filters look into the fields; and how many bytes
 * are left then.
 */
export async function withinBytes(
  db: Kysely<Tables>,
  tenantId: number,
  range: RecentRange,
  most: number,
): Promise<{ readonly stretch: RecentRange; readonly left: number }> {
  if (!looksInside(range.filters)) return { stretch: range, left: most };
  const direction = sql.raw(range.direction);
  const { rows } = await sql<{ fits: number; bytes: number | null }>`
    select count(*) as fits, max(bytes) as bytes from (
      select sum((
        select ${sizeOf('a.fields')} from account as a
        where a.tenant_id = ${tenantId} and a.account_id = h.account_id
      )) over (order by h.turn ${direction}, h.seq ${direction}) as bytes
      from (${changesOf(tenantId, range)}) as h
    ) as looked where bytes <= ${most}
  `.execute(db);
  const fits = rows[0]?.fits ?? 0;
  if (fits === range.limit) return { stretch: range, left: most - (rows[0]?.bytes ?? 0) };
  return { stretch: { ...range, limit: fits + 1 }, left: 0 };
}
