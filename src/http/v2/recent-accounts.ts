import { MAX_COUNT } from '../../store/reading/account-pages.js';
import type { Position } from '../../store/reading/changes-behind.js';
import type { Store } from '../../store/store.js';
import type { Principal } from '../principals.js';
import { accountBody } from './account-body.js';
import { isNumber, readCursor, writeCursor } from './cursor.js';
import type { V2Parts } from './operation.js';
import { readMoment } from './read-query.js';
import { DEFAULT_LIMIT } from './schemas.js';

export interface RecentQuery {
  readonly limit?: number;
  readonly cursor?: string;
  readonly sort?: 'id' | 'updated' | '-updated';
  readonly updated_since?: string;
  readonly count?: boolean;
}

/** Where a listing by last change goes on, and what it was at its first page. */
type RecentKey = readonly [turn: number, seq: number, endTurn: number, endSeq: number];

function isRecentKey(value: unknown): value is RecentKey {
  return Array.isArray(value) && value.length === 4 && value.every(isNumber);
}

/** Accounts in the order of their last change, as it was when the first page was read: so each comes once. */
export async function recentAccounts(
  { store }: V2Parts,
  tenant: Principal['tenant'],
  { limit = DEFAULT_LIMIT, cursor, sort, updated_since, count }: RecentQuery,
) {
  const listing = { sort: sort ?? null, updated_since: updated_since ?? null };
  const since = readMoment(updated_since, '/query/updated_since') ?? 0;
  const direction = sort === '-updated' ? 'desc' : 'asc';
  const key = cursor === undefined ? undefined : readCursor(listing, cursor, isRecentKey);
  const until = key === undefined ? await store.feed.end(tenant.id) : { turn: key[2], seq: key[3] };
  const first = async (): Promise<Position> =>
    direction === 'desc' ? { turn: until.turn, seq: until.seq + 1 } : store.feed.before(tenant.id, since);
  const from = key === undefined ? await first() : { turn: key[0], seq: key[1] };
  const page = await store.recent.page(tenant.id, { from, until, direction, since, limit });
  const next: RecentKey | undefined = page.next && [page.next.turn, page.next.seq, until.turn, until.seq];
  return {
    data: page.accounts.map((account) => accountBody(account, tenant.rules)),
    next: next === undefined ? null : writeCursor(listing, next),
    ...(count && { count: await countOf(store, tenant.id, updated_since === undefined ? undefined : since) }),
  };
}

async function countOf(store: Store, tenantId: number, since: number | undefined) {
  if (since === undefined) return { accounts: await store.statistics.accounts(tenantId), is_exact: true };
  const { accounts, isExact } = await store.recent.count(tenantId, since, MAX_COUNT);
  return { accounts, is_exact: isExact };
}
