import Type from 'typebox';
import type { JsonValue } from '../../../domain/json.js';
import type { AccountFilter } from '../../../store/accounts/account-filter.js';
import { isPageKey } from '../../../store/accounts/account-pages.js';
import { isIndexed, SCAN_BUDGET } from '../../../store/accounts/candidate-sets.js';
import type { Listing } from '../../../store/accounts/listing-plan.js';
import type { Position } from '../../../store/changes/changes-after.js';
import { principalOf } from '../../auth/authenticate.js';
import { areTexts, isNumber, readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { AccountSchema, DEFAULT_LIMIT, nullable } from '../schemas.js';
import { accountBody } from './account-body.js';
import { type AccountListing, ListQuery, readListing } from './list-query.js';

const Answer = Type.Object({
  data: Type.Array(AccountSchema),
  next: nullable(Type.String()),
  count: Type.Optional(
    Type.Object({
      accounts: Type.Integer(),
      is_exact: Type.Boolean({ description: 'false: there are at least as many' }),
    }),
  ),
});

export function listAccounts(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'read', {
    id: 'list-accounts',
    tag: 'Accounts',
    summary: 'List accounts, page by page',
    description:
      'Filters and orders combine. Ordered as `sort` says; otherwise a search as it finds, `name_prefix` by name, ' +
      '`updated_since` alone by last change, everything else by id. Where filters are combined, with one another or ' +
      `with an order that is not their own, a page looks at about ${SCAN_BUDGET.accounts} accounts, at fewer where they are large: it may be short, or even ` +
      'empty, and `next` goes on. By id and by last change each account comes exactly once, whatever is written ' +
      'meanwhile; by name, one that is renamed meanwhile may come twice or not at all.',
    schema: { querystring: ListQuery },
    answers: { 200: { description: 'A page of accounts', schema: Answer } },
  });
  app.get('/accounts', options, async (request) => {
    const { tenant } = principalOf(request);
    const { limit = DEFAULT_LIMIT, cursor, count } = request.query;
    const listing = readListing(request.query, tenant.rules);
    const page = { name: nameOf(listing), limit, cursor };
    const { accounts, next } = isRecent(listing)
      ? await recentAccounts(parts, tenant.id, listing, page)
      : await accountsByKey(parts, tenant.id, listing as Listing, page);
    return {
      data: accounts.map((account) => accountBody(account, tenant.rules)),
      next,
      ...(count && { count: await countOf(parts, tenant.id, listing.filters) }),
    };
  });
}

function isRecent(listing: AccountListing): listing is RecentListing {
  return listing.order === 'updated' || listing.order === '-updated';
}

/** An index that comes or goes makes no other listing. */
function nameOf({ order, filters }: AccountListing): JsonValue {
  return [order, ...filters.map((filter) => ({ ...filter, isIndexed: null }))];
}

async function accountsByKey(
  { store }: V2Parts,
  tenantId: number,
  listing: Listing,
  { name, limit, cursor }: PageRequest,
) {
  const isKey = (key: unknown): key is string[] => areTexts(key) && isPageKey(listing, key);
  const after = cursor === undefined ? undefined : readCursor(name, cursor, isKey);
  const { accounts, next } = await store.pages.page(tenantId, listing, limit, after);
  return { accounts, next: next === undefined ? null : writeCursor(name, [...next]) };
}

async function countOf({ store }: V2Parts, tenantId: number, filters: readonly AccountFilter[]) {
  if (filters.length === 0) return { accounts: await store.statistics.accounts(tenantId), is_exact: true };
  const since = sinceOf(filters);
  const { accounts, isExact } =
    since === undefined || filters.some(isIndexed)
      ? await store.pages.count(tenantId, filters)
      : await store.recent.count(tenantId, since, filters);
  return { accounts, is_exact: isExact };
}

export interface PageRequest {
  /** Of the listing, for its cursors. */
  readonly name: JsonValue;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface RecentListing {
  readonly order: 'updated' | '-updated';
  readonly filters: readonly AccountFilter[];
}

/** Where a listing by last change goes on, and what it was at its first page. */
type RecentKey = readonly [turn: number, seq: number, endTurn: number, endSeq: number];

function isRecentKey(value: unknown): value is RecentKey {
  return Array.isArray(value) && value.length === 4 && value.every(isNumber);
}

/** Accounts in the order of their last change, as it was when the first page was read: so each comes once. */
export async function recentAccounts(
  { store }: V2Parts,
  tenantId: number,
  { order, filters }: RecentListing,
  { name, limit, cursor }: PageRequest,
) {
  const direction = order === '-updated' ? 'desc' : 'asc';
  const key = cursor === undefined ? undefined : readCursor(name, cursor, isRecentKey);
  const until = key === undefined ? await store.feed.end(tenantId) : { turn: key[2], seq: key[3] };
  const first = async (): Promise<Position> =>
    direction === 'desc'
      ? { turn: until.turn, seq: until.seq + 1 }
      : store.feed.before(tenantId, sinceOf(filters) ?? 0);
  const from = key === undefined ? await first() : { turn: key[0], seq: key[1] };
  const { accounts, next } = await store.recent.page(tenantId, { from, until, direction, filters, limit });
  const place: RecentKey | undefined = next && [next.turn, next.seq, until.turn, until.seq];
  return { accounts, next: place === undefined ? null : writeCursor(name, place) };
}

export function sinceOf(filters: readonly AccountFilter[]): number | undefined {
  return filters.find((filter) => filter.kind === 'since')?.at;
}
