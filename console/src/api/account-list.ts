import type { Account, ListFilter, Page } from '@account-sync/client';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from './call';

export type Sort = NonNullable<ListFilter['sort']>;

/** What one looks for. */
export interface AccountFilter {
  readonly search: string;
  /** Each `name:value`. */
  readonly attributes: readonly string[];
  readonly parent: string;
  /** A stretch of time up to now, or the moment since when. */
  readonly changed: string;
}

/** Where a page begins; its cursor goes with the same filters only, so with the same moment to count back from. */
export interface Place {
  readonly cursor: string;
  readonly at: number;
  /** How many accounts come before it. */
  readonly before: number;
}

export interface PageOfAccounts {
  readonly filter: AccountFilter;
  readonly sort: Sort | undefined;
  readonly limit: number;
  readonly place: Place | undefined;
}

interface Count {
  readonly accounts: number;
  /** Otherwise there are at least as many. */
  readonly is_exact: boolean;
}

/** One request looks at a bounded number of accounts: so many are made by themselves before somebody is asked. */
export const LOOKS = 10;

const SPANS: Readonly<Record<string, number>> = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 };

/** In the words of the interface. */
export function parametersOf({ search, attributes, parent, changed }: AccountFilter, at: number): ListFilter {
  const span = SPANS[changed];
  const since = span === undefined ? changed : new Date(at - span).toISOString();
  return {
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(parent.trim() !== '' && { parent: parent.trim() }),
    ...(attributes.length > 0 && { attribute: [...attributes] }),
    ...(since !== '' && { updated_since: since }),
  };
}

interface Look {
  readonly cursor: string | undefined;
  readonly at: number;
  readonly limit: number;
}

/** A page, gathered from as many requests as it takes to fill it. */
export function useAccountPage({ filter, sort, limit, place }: PageOfAccounts) {
  const query = useInfiniteQuery({
    queryKey: ['accounts', 'page', filter, sort, limit, place?.cursor],
    queryFn: ({ signal, pageParam }) => look(filter, sort, pageParam, signal),
    initialPageParam: { cursor: place?.cursor, at: place?.at ?? Date.now(), limit } as Look,
    getNextPageParam: (page, _pages, asked): Look | undefined => nextLook(page, asked),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const { data, hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage } = query;
  const looks = data?.pages.length ?? 0;
  const isLookingFurther = hasNextPage && looks % LOOKS !== 0 && !isError && !isPlaceholderData;
  useEffect(() => {
    if (isLookingFurther && !isFetching) fetchNextPage();
  }, [isLookingFurther, isFetching, fetchNextPage]);
  return { ...query, ...gathered(data?.pages ?? [], place), isLookingFurther };
}

function nextLook({ data, next }: Page<Account>, { at, limit }: Look): Look | undefined {
  const missing = limit - data.length;
  return next !== null && missing > 0 ? { cursor: next, at, limit: missing } : undefined;
}

interface Looked extends Page<Account> {
  readonly at: number;
}

async function look(
  filter: AccountFilter,
  sort: Sort | undefined,
  { cursor, at, limit }: Look,
  signal: AbortSignal,
): Promise<Looked> {
  const parameters = { ...parametersOf(filter, at), sort, limit, cursor };
  return { ...(await call<Page<Account>>('/accounts', { parameters, signal })), at };
}

/** What the requests of a page found together, and where the next page begins. */
function gathered(looked: readonly Looked[], place: Place | undefined) {
  const accounts = looked.flatMap(({ data }) => data);
  const { next: cursor = null, at = 0 } = looked.at(-1) ?? {};
  const before = (place?.before ?? 0) + accounts.length;
  const next: Place | undefined = cursor === null ? undefined : { cursor, at, before };
  return { accounts, next };
}

/** Asked for beside the page, which does not wait for it. */
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
