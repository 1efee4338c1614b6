import type { JsonValue } from '../../domain/json.js';
import type { AccountFilter } from '../../store/reading/account-filter.js';
import type { Position } from '../../store/reading/changes-behind.js';
import { isNumber, readCursor, writeCursor } from './cursor.js';
import type { V2Parts } from './operation.js';

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
