import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../dialect.js';
import type { AccountRow } from '../schema/tables.js';
import { type AccountFilter, foldName, LAST_CHARACTER } from './account-filter.js';
import type { CandidateSet } from './candidate-sets.js';

/** `match`, for a search: by id those whose id begins with the text, then by name those whose name does. */
export type PageOrder = 'id' | '-id' | 'name' | '-name' | 'match';

export interface Listing {
  readonly order: PageOrder;
  /** All have to hold; those that find fewer should come first. */
  readonly filters: readonly AccountFilter[];
}

/** A part of a listing that has one index for its order. */
export interface Segment {
  readonly by: 'id' | 'name';
  readonly direction: 'asc' | 'desc';
  readonly filters: readonly AccountFilter[];
}

/** They follow one another, and no account is in two. */
export function segmentsOf({ order, filters }: Listing): readonly Segment[] {
  switch (order) {
    case 'id':
      return [{ by: 'id', direction: 'asc', filters }];
    case '-id':
      return [{ by: 'id', direction: 'desc', filters }];
    case 'name':
      return withNameless({ by: 'name', direction: 'asc', filters });
    case '-name':
      return withNameless({ by: 'name', direction: 'desc', filters });
    case 'match':
      return [
        { by: 'id', direction: 'asc', filters: filters.flatMap((filter) => foundById(filter)) },
        { by: 'name', direction: 'asc', filters: filters.flatMap((filter) => foundByName(filter)) },
      ];
  }
}

/** The index of names has only those that have one. */
function withNameless(named: Segment): readonly Segment[] {
  if (named.filters.some(({ kind }) => kind === 'name')) return [named];
  return [named, { by: 'id', direction: 'asc', filters: [...named.filters, { kind: 'nameless' }] }];
}

function foundById(filter: AccountFilter): readonly AccountFilter[] {
  return filter.kind === 'search' ? [{ kind: 'id', prefix: filter.id }] : [filter];
}

function foundByName(filter: AccountFilter): readonly AccountFilter[] {
  if (filter.kind !== 'search') return [filter];
  return [
    { kind: 'name', prefix: filter.name },
    { kind: 'other-id', prefix: filter.id },
  ];
}

/** Where a segment goes on: an id, after the folded name where that is the order. */
export type SegmentKey = readonly string[];

/** A way through the accounts of a segment, in its order. */
export interface QueryPlan {
  /** The tables, with `a` for the accounts, and the beginning of a condition. */
  readonly from: RawBuilder<unknown>;
  readonly key: readonly RawBuilder<unknown>[];
  /** What the first part of the key begins with. */
  readonly prefix: string;
  /** What is not yet known of accounts on this way. */
  readonly unchecked: readonly AccountFilter[];
}

/** By an index that has the order of the segment, and begins with one of its filters where there is such an index. */
export function planByIndex(tenantId: number, { by, filters }: Segment, dialect: Dialect): QueryPlan {
  const account = sql`account as a where a.tenant_id = ${tenantId}`;
  const filter = filters.find((one) => (by === 'name' ? one.kind === 'name' : hasIdOrder(one)));
  const prefix = filter?.kind === 'name' || filter?.kind === 'id' ? filter.prefix : '';
  const unchecked = filters.filter((one) => one !== filter);
  if (by === 'name') {
    const key = [sql`lower(a.name)`, sql`a.account_id`];
    return { from: sql`${account} and a.name is not null`, key, prefix: foldName(prefix), unchecked };
  }
  const plan = { from: account, key: [sql`a.account_id`], prefix, unchecked };
  if (filter?.kind === 'parent') {
    const ofTenant = sql`account as a ${dialect.byParentIndex} where a.tenant_id = ${tenantId}`;
    return { ...plan, from: sql`${ofTenant} and a.parent_account_id = ${filter.parentId}` };
  }
  if (filter?.kind !== 'attribute') return plan;
  const from = sql`
    account_value as v join account as a on a.tenant_id = v.tenant_id and a.account_id = v.account_id
    where v.tenant_id = ${tenantId} and v.name = ${filter.name} and v.value = ${filter.value}`;
  // Of the index that is gone by: SQLite would otherwise go through the accounts, in their order.
  return { ...plan, from, key: [sql`v.account_id`] };
}

/** Through all of a small set, sorted: the columns are taken for texts, so that no index is gone by for its order. */
export function planBySet(
  tenantId: number,
  { by, filters }: Segment,
  set: CandidateSet,
  dialect: Dialect,
): QueryPlan {
  const from = sql`${dialect.accountsOf(tenantId, set)} where 1 = 1`;
  const id = sql`(a.account_id || '')`;
  const name = sql`lower(a.name || '')`;
  return by === 'id'
    ? { from, key: [id], prefix: '', unchecked: filters }
    : { from: sql`${from} and ${name} is not null`, key: [name, id], prefix: '', unchecked: filters };
}

/**
 * From behind a key up to another, both within the prefix. Each end is told once: of two SQLite would look up either,
 * and read from there. In its index of names it looks up the first part of a key alone.
 */
export function stretch(
  { key, prefix }: QueryPlan,
  direction: Segment['direction'],
  after: SegmentKey,
  until?: SegmentKey,
) {
  const [up, down] = direction === 'asc' ? ['>', '<'] : ['<', '>'];
  const compared = (sign: string, place: SegmentKey, equal = '') => {
    const whole = sql`(${sql.join(key)}) ${sql.raw(sign + equal)} (${sql.join(place)})`;
    return key.length === 1 ? whole : sql`${key[0]} ${sql.raw(sign)}= ${place[0]} and ${whole}`;
  };
  const least = prefix === '' ? sql`1 = 1` : sql`${key[0]} >= ${prefix}`;
  const most = prefix === '' ? sql`1 = 1` : sql`${key[0]} <= ${prefix + LAST_CHARACTER}`;
  const [first, last] = direction === 'asc' ? [least, most] : [most, least];
  const begin = after.length > 0 ? compared(up, after) : first;
  const end = until === undefined ? last : compared(down, until, '=');
  return sql`${begin} and ${end}`;
}

export function orderBy(
  { key }: Pick<QueryPlan, 'key'>,
  direction: Segment['direction'],
): RawBuilder<unknown> {
  return sql.join(key.map((part) => sql`${part} ${sql.raw(direction)}`));
}

export function keyOf(
  { by }: Segment,
  { account_id, name }: Pick<AccountRow, 'account_id' | 'name'>,
): SegmentKey {
  return by === 'name' ? [foldName(String(name)), account_id] : [account_id];
}

function hasIdOrder(filter: AccountFilter): boolean {
  return (
    filter.kind === 'parent' || filter.kind === 'id' || (filter.kind === 'attribute' && filter.isIndexed)
  );
}
