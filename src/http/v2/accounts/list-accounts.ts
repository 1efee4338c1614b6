import Type from 'typebox';
import type { JsonValue } from '../../../domain/json.js';
import { type AccountFilter, archivedIn } from '../../../store/accounts/account-filter.js';
import { isPageKey } from '../../../store/accounts/account-pages.js';
import { isIndexed, SCAN_BUDGET } from '../../../store/accounts/candidate-sets.js';
import type { Listing } from '../../../store/accounts/listing-plan.js';
import type { Position } from '../../../store/schema/position.js';
import { nullable } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { areStrings, isNumber, readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { AccountSchema, DEFAULT_LIMIT } from '../schemas.js';
import { accountBody } from './account-body.js';
import { type AccountListing, ListQuery, readListing } from './list-query.js';

const ResponseBody = Type.Object({
  data: Type.Array(AccountSchema),
  next: nullable(Type.String()),
  count: Type.Optional(
    Type.Object({
      accounts: Type.Integer(),
      is_exact: Type.Boolean({ description: 'False if there may be more.' }),
    }),
  ),
});

export function listAccounts(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'read', {
    id: 'list-accounts',
    tag: 'Accounts',
    summary: 'List accounts',
    description:
      'All filters can be combined, and combined with `sort`. Without `sort`, a search is ordered by match, ' +
      '`name_prefix` by name, `updated_since` alone by last change, and everything else by id. With several filters, ' +
      `or with a \`sort\` other than that of the filter, one request scans about ${SCAN_BUDGET.accounts} accounts, ` +
      'fewer if they are large: a page may be short or empty although it has a `next`. By id and by last change, ' +
      'each account appears exactly once, also while accounts are written; by name, an account that is renamed ' +
      'meanwhile may appear twice or not at all.',
    schema: { querystring: ListQuery },
    responses: { 200: { description: 'A page of accounts.', schema: ResponseBody } },
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

/** Ignores whether an attribute is indexed: cursors stay valid when an index is added or removed. */
function nameOf({ order, filters }: AccountListing): JsonValue {
  return [order, ...filters.map((filter) => ({ ...filter, isIndexed: null }))];
}

async function accountsByKey(
  { store }: V2Parts,
  tenantId: number,
  listing: Listing,
  { name, limit, cursor }: PageRequest,
) {
  const isKey = (key: unknown): key is string[] => areStrings(key) && isPageKey(listing, key);
  const after = cursor === undefined ? undefined : readCursor(name, cursor, isKey);
  const { accounts, next } = await store.pages.page(tenantId, listing, limit, after);
  return { accounts, next: next === undefined ? null : writeCursor(name, [...next]) };
}

async function countOf({ store }: V2Parts, tenantId: number, filters: readonly AccountFilter[]) {
  if (filters.every(({ kind }) => kind === 'archived')) {
    const { accounts, archived } = await store.statistics.counts(tenantId);
    const counts = { exclude: accounts, include: accounts + archived, only: archived };
    return { accounts: counts[archivedIn(filters)], is_exact: true };
  }
  const since = sinceOf(filters);
  const { accounts, isExact } =
    since === undefined || filters.some(isIndexed)
      ? await store.pages.count(tenantId, filters)
      : await store.recent.count(tenantId, since, filters);
  return { accounts, is_exact: isExact };
}

export interface PageRequest {
  /** Identifies the listing in its cursors. */
  readonly name: JsonValue;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface RecentListing {
  readonly order: 'updated' | '-updated';
  readonly filters: readonly AccountFilter[];
}

/** The next position of a listing by last change, and the end of the feed at its first page. */
type RecentKey = readonly [commitOrder: number, seq: number, endCommitOrder: number, endSeq: number];

function isRecentKey(value: unknown): value is RecentKey {
  return Array.isArray(value) && value.length === 4 && value.every(isNumber);
}

/** Accounts by last change, as of the first page, so that an account that changes meanwhile appears only once. */
async function recentAccounts(
  { store }: V2Parts,
  tenantId: number,
  { order, filters }: RecentListing,
  { name, limit, cursor }: PageRequest,
) {
  const direction = order === '-updated' ? 'desc' : 'asc';
  // Cursors of versions before 0.8.0 have other numbers: the name of the listing distinguishes them.
  const listing = ['change sets', name];
  const key = cursor === undefined ? undefined : readCursor(listing, cursor, isRecentKey);
  const until = key === undefined ? await store.feed.end(tenantId) : { commitOrder: key[2], seq: key[3] };
  const first = async (): Promise<Position> =>
    direction === 'desc'
      ? { commitOrder: until.commitOrder, seq: until.seq + 1 }
      : store.feed.before(tenantId, sinceOf(filters) ?? 0);
  const from = key === undefined ? await first() : { commitOrder: key[0], seq: key[1] };
  const { accounts, next } = await store.recent.page(tenantId, { from, until, direction, filters, limit });
  const place: RecentKey | undefined = next && [next.commitOrder, next.seq, until.commitOrder, until.seq];
  return { accounts, next: place === undefined ? null : writeCursor(listing, place) };
}

function sinceOf(filters: readonly AccountFilter[]): number | undefined {
  return filters.find((filter) => filter.kind === 'since')?.at;
}
