import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../dialect.js';
import type { AccountRow } from '../schema/tables.js';
import { type AccountFilter, foldName, LAST_CHARACTER } from './account-filter.js';
import type { CandidateSet } from './candidate-sets.js';

/*
 * Query plans for listings of accounts. Without hints, either database may read all accounts of a tenant for one page.
 * So each listing is split here into segments, and each segment gets one index to read:
 *
 *   Listing (order, filters) → Segment, Segment, … → QueryPlan (tables, key, prefix) → keyRange (after, until)
 *
 * - Segments follow one another in the listing, and no account is in two of them.
 * - A plan by index reads a key range in index order and checks the `remaining` filters row by row.
 * - A plan by set reads a small candidate set as a whole and sorts it.
 */

/** `match` is for a search: accounts whose id starts with the text, by id; then those whose name does, by name. */
export type PageOrder = 'id' | '-id' | 'name' | '-name' | 'match';

export interface Listing {
  readonly order: PageOrder;
  /** An account has to meet all of them. Filters that match fewer accounts should come first. */
  readonly filters: readonly AccountFilter[];
}

/** A part of a listing whose order is that of one index. */
export interface Segment {
  readonly by: 'id' | 'name';
  readonly direction: 'asc' | 'desc';
  readonly filters: readonly AccountFilter[];
}

/** In the order of the listing; no account is in two segments. */
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

/** The index of names leaves out accounts without a name: they follow in a segment of their own, by id. */
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

/** The sort key of one account in a segment: `[id]`, or `[folded name, id]` when sorted by name. */
export type SegmentKey = readonly string[];

/** How to read the accounts of a segment in its order. */
export interface QueryPlan {
  /** The `from` clause, with `a` for the accounts, and the start of a `where` clause. */
  readonly from: RawBuilder<unknown>;
  readonly key: readonly RawBuilder<unknown>[];
  /** Every account of the plan has a key whose first part starts with this. */
  readonly prefix: string;
  /** The filters that the plan itself does not guarantee. */
  readonly remaining: readonly AccountFilter[];
}

/** Reads an index in the order of the segment; if possible one that also serves one of the filters. */
export function planByIndex(tenantId: number, { by, filters }: Segment, dialect: Dialect): QueryPlan {
  const account = sql`account as a where a.tenant_id = ${tenantId}`;
  const filter = filters.find((one) => (by === 'name' ? one.kind === 'name' : hasIdOrder(one)));
  const prefix = filter?.kind === 'name' || filter?.kind === 'id' ? filter.prefix : '';
  const remaining = filters.filter((one) => one !== filter);
  if (by === 'name') {
    const key = [sql`lower(a.name)`, sql`a.account_id`];
    return { from: sql`${account} and a.name is not null`, key, prefix: foldName(prefix), remaining };
  }
  const plan = { from: account, key: [sql`a.account_id`], prefix, remaining };
  if (filter?.kind === 'parent') {
    const ofTenant = sql`account as a ${dialect.byParentIndex} where a.tenant_id = ${tenantId}`;
    return { ...plan, from: sql`${ofTenant} and a.parent_account_id = ${filter.parentId}` };
  }
  if (filter?.kind === 'archived') {
    const ofTenant = sql`account as a ${dialect.archivedIndex} where a.tenant_id = ${tenantId}`;
    return { ...plan, from: sql`${ofTenant} and a.archived_at is not null`, remaining: filters };
  }
  if (filter?.kind !== 'attribute') return plan;
  const from = sql`
    account_value as v join account as a on a.tenant_id = v.tenant_id and a.account_id = v.account_id
    where v.tenant_id = ${tenantId} and v.name = ${filter.name} and v.value = ${filter.value}`;
  // The key of `v`, not of `a`: with `a.account_id` SQLite would read all accounts in the order of their ids.
  return { ...plan, from, key: [sql`v.account_id`] };
}

/** Reads and sorts all accounts of a small set. The keys are expressions, so that no index is read for its order. */
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
    ? { from, key: [id], prefix: '', remaining: filters }
    : { from: sql`${from} and ${name} is not null`, key: [name, id], prefix: '', remaining: filters };
}

/**
 * SQL condition: the keys after `after` up to and including `until`, within the prefix of the plan. Each end is one
 * condition: given two lower bounds, SQLite may seek to the lower one and scan from there. In the index of names SQLite
 * seeks by the first part of the key only, so that part is also compared on its own.
 */
export function keyRange(
  { key, prefix }: QueryPlan,
  direction: Segment['direction'],
  after: SegmentKey,
  until?: SegmentKey,
) {
  const [forward, backward] = direction === 'asc' ? ['>', '<'] : ['<', '>'];
  const compare = (sign: string, bound: SegmentKey, equal = '') => {
    const whole = sql`(${sql.join(key)}) ${sql.raw(sign + equal)} (${sql.join(bound)})`;
    return key.length === 1 ? whole : sql`${key[0]} ${sql.raw(sign)}= ${bound[0]} and ${whole}`;
  };
  const lowest = prefix === '' ? sql`1 = 1` : sql`${key[0]} >= ${prefix}`;
  const highest = prefix === '' ? sql`1 = 1` : sql`${key[0]} <= ${prefix + LAST_CHARACTER}`;
  const [first, last] = direction === 'asc' ? [lowest, highest] : [highest, lowest];
  const start = after.length > 0 ? compare(forward, after) : first;
  const end = until === undefined ? last : compare(backward, until, '=');
  return sql`${start} and ${end}`;
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
    filter.kind === 'parent' ||
    filter.kind === 'id' ||
    (filter.kind === 'attribute' && filter.isIndexed) ||
    (filter.kind === 'archived' && filter.which === 'only')
  );
}
