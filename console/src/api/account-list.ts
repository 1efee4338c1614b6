import type { Account, AccountSelection, ListFilter, Page } from '@account-sync/client';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from './call';

export type Sort = NonNullable<ListFilter['sort']>;

export interface AccountFilter {
  readonly search: string;
  /** Each `name:value`. */
  readonly attributes: readonly string[];
  readonly parent: string;
  /** `hour`, `day` or `week` for that long until now, or the ISO time since which accounts changed. */
  readonly changed: string;
  /** Archived accounts are left out, listed with the others, or listed alone. */
  readonly archived: '' | 'include' | 'only';
}

/** Start of a page. A cursor is valid only for the same filters, so `at` fixes the time that spans count back from. */
export interface PagePosition {
  readonly cursor: string;
  readonly at: number;
  /** Number of accounts on the pages before. */
  readonly before: number;
}

export interface PageOfAccounts {
  readonly filter: AccountFilter;
  readonly sort: Sort | undefined;
  readonly limit: number;
  readonly position: PagePosition | undefined;
}

interface Count {
  readonly accounts: number;
  /** False if counting stopped early: there are at least this many. */
  readonly is_exact: boolean;
}

/**
 * One request scans a limited number of accounts. After this many requests without a full page, the user decides
 * whether to continue.
 */
const MAX_AUTO_REQUESTS = 10;

const SPANS: Readonly<Record<string, number>> = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 };

/** The filters of the API, which lists, edits or deletes the accounts that match them. */
export type Matching = Extract<AccountSelection, { matching: unknown }>['matching'];

export function parametersOf(filter: AccountFilter, at: number): Matching {
  const { search, attributes, parent, changed, archived } = filter;
  const span = SPANS[changed];
  const since = span === undefined ? changed : new Date(at - span).toISOString();
  return {
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(parent.trim() !== '' && { parent: parent.trim() }),
    ...(attributes.length > 0 && { attribute: [...attributes] }),
    ...(since !== '' && { updated_since: since }),
    ...(archived !== '' && { archived }),
  };
}

/** One of the requests that fill a page. */
interface PageRequest {
  readonly cursor: string | undefined;
  readonly at: number;
  readonly before: number;
  readonly limit: number;
}

type PageResponse = Page<Account> & Pick<PageRequest, 'at' | 'before'>;

/** A page of accounts, filled by as many requests as necessary. */
export function useAccountPage({ filter, sort, limit, position }: PageOfAccounts) {
  const first: PageRequest = { cursor: undefined, at: Date.now(), before: 0, limit, ...position };
  const query = useInfiniteQuery({
    queryKey: ['accounts', 'page', filter, sort, limit, position?.cursor],
    queryFn: async ({ signal, pageParam: { cursor, at, before, limit } }): Promise<PageResponse> => {
      const parameters = { ...parametersOf(filter, at), sort, limit, cursor };
      return { ...(await call<Page<Account>>('/accounts', { parameters, signal })), at, before };
    },
    initialPageParam: first,
    getNextPageParam: (page, _pages, request) => nextRequest(page, request),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const { data, hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage } = query;
  const responses = data?.pages ?? [];
  const isScanning =
    hasNextPage && responses.length % MAX_AUTO_REQUESTS !== 0 && !isError && !isPlaceholderData;
  useEffect(() => {
    if (isScanning && !isFetching) fetchNextPage();
  }, [isScanning, isFetching, fetchNextPage]);
  return { ...query, ...merge(responses), isScanning };
}

function nextRequest(
  { data, next }: PageResponse,
  { at, before, limit }: PageRequest,
): PageRequest | undefined {
  const missing = limit - data.length;
  if (next === null || missing === 0) return undefined;
  return { cursor: next, at, before: before + data.length, limit: missing };
}

/** The accounts of all requests of a page, and the position of the next page. */
function merge(responses: readonly PageResponse[]) {
  const last = responses.at(-1);
  const next: PagePosition | undefined =
    last && last.next !== null
      ? { cursor: last.next, at: last.at, before: last.before + last.data.length }
      : undefined;
  return { accounts: responses.flatMap(({ data }) => data), before: responses[0]?.before ?? 0, next };
}

/** A separate request, so that the page does not wait for the count. */
export function useAccountCount(filter: AccountFilter) {
  return useQuery({
    queryKey: ['accounts', 'count', filter],
    queryFn: async ({ signal }) => {
      const parameters = { ...parametersOf(filter, Date.now()), limit: 1, count: true };
      return (await call<{ count: Count }>('/accounts', { parameters, signal })).count;
    },
    placeholderData: keepPreviousData,
  });
}
