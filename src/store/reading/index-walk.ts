import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../migrations/all-migrations.js';
import type { AccountRow } from '../tables.js';
import { type AccountFilter, foldName, LAST_CHARACTER } from './account-filter.js';
import { type AccountSet, accountsOf } from './account-sets.js';
import type { Leg } from './listing-legs.js';

/** Where a leg goes on: an id, after the folded name where that is the order. */
export type LegKey = readonly string[];

/** A way through the accounts of a leg, in its order. */
export interface Walk {
  /** The tables, with `a` for the accounts, and the beginning of a condition. */
  readonly from: RawBuilder<unknown>;
  readonly key: readonly RawBuilder<unknown>[];
  /** What the first part of the key begins with. */
  readonly prefix: string;
  /** What is not yet known of accounts on this way. */
  readonly unchecked: readonly AccountFilter[];
}

/** By an index that has the order of the leg, and begins with one of its filters where there is such an index. */
export function indexWalk(tenantId: number, { by, filters }: Leg, dialect: Dialect): Walk {
  const account = sql`account as a where a.tenant_id = ${tenantId}`;
  const filter = filters.find((one) => (by === 'name' ? one.kind === 'name' : hasIdOrder(one)));
  const prefix = filter?.kind === 'name' || filter?.kind === 'id' ? filter.prefix : '';
  const unchecked = filters.filter((one) => one !== filter);
  if (by === 'name') {
    const key = [sql`lower(a.name)`, sql`a.account_id`];
    return { from: sql`${account} and a.name is not null`, key, prefix: foldName(prefix), unchecked };
  }
  const walk = { from: account, key: [sql`a.account_id`], prefix, unchecked };
  if (filter?.kind === 'parent') {
    // Between two ids SQLite would go through the accounts of all parents.
    const index = dialect === 'sqlite' ? sql`indexed by account_by_parent` : sql``;
    const ofTenant = sql`account as a ${index} where a.tenant_id = ${tenantId}`;
    return { ...walk, from: sql`${ofTenant} and a.parent_account_id = ${filter.parentId}` };
  }
  if (filter?.kind !== 'attribute') return walk;
  const from = sql`
    account_value as v join account as a on a.tenant_id = v.tenant_id and a.account_id = v.account_id
    where v.tenant_id = ${tenantId} and v.name = ${filter.name} and v.value = ${filter.value}`;
  // Of the index that is gone by: SQLite would otherwise go through the accounts, in their order.
  return { ...walk, from, key: [sql`v.account_id`] };
}

/** Through all of a small set, sorted: the columns are taken for texts, so that no index is gone by for its order. */
export function setWalk(tenantId: number, { by, filters }: Leg, set: AccountSet, dialect: Dialect): Walk {
  const from = sql`${accountsOf(tenantId, set, dialect)} where 1 = 1`;
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
export function stretch({ key, prefix }: Walk, direction: Leg['direction'], after: LegKey, until?: LegKey) {
  const [up, down] = direction === 'asc' ? ['>', '<'] : ['<', '>'];
  const compared = (sign: string, place: LegKey, equal = '') => {
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

export function inOrder({ key }: Pick<Walk, 'key'>, direction: Leg['direction']): RawBuilder<unknown> {
  return sql.join(key.map((part) => sql`${part} ${sql.raw(direction)}`));
}

export function keyOf({ by }: Leg, { account_id, name }: Pick<AccountRow, 'account_id' | 'name'>): LegKey {
  return by === 'name' ? [foldName(String(name)), account_id] : [account_id];
}

function hasIdOrder(filter: AccountFilter): boolean {
  return (
    filter.kind === 'parent' || filter.kind === 'id' || (filter.kind === 'attribute' && filter.isIndexed)
  );
}
