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

/** One request of a page. */
interface Look {
  readonly cursor: string | undefined;
  readonly at: number;
  readonly before: number;
  readonly limit: number;
}

type Looked = Page<Account> & Pick<Look, 'at' | 'before'>;

/** A page, gathered from as many requests as it takes to fill it. */
export function useAccountPage({ filter, sort, limit, place }: PageOfAccounts) {
  const first: Look = { cursor: undefined, at: Date.now(), before: 0, limit, ...place };
  const query = useInfiniteQuery({
    queryKey: ['accounts', 'page', filter, sort, limit, place?.cursor],
    queryFn: async ({ signal, pageParam: { cursor, at, before, limit } }): Promise<Looked> => {
      const parameters = { ...parametersOf(filter, at), sort, limit, cursor };
      return { ...(await call<Page<Account>>('/accounts', { parameters, signal })), at, before };
    },
    initialPageParam: first,
    getNextPageParam: (page, _pages, asked) => nextLook(page, asked),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const { data, hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage } = query;
  const looks = data?.pages ?? [];
  const isLookingFurther = hasNextPage && looks.length % LOOKS !== 0 && !isError && !isPlaceholderData;
  useEffect(() => {
    if (isLookingFurther && !isFetching) fetchNextPage();
  }, [isLookingFurther, isFetching, fetchNextPage]);
  return { ...query, ...gathered(looks), isLookingFurther };
}

function nextLook({ data, next }: Looked, { at, before, limit }: Look): Look | undefined {
  const missing = limit - data.length;
  if (next === null || missing === 0) return undefined;
  return { cursor: next, at, before: before + data.length, limit: missing };
}

/** What the requests of a page found together, and where the next page begins. */
function gathered(looks: readonly Looked[]) {
  const last = looks.at(-1);
  const next: Place | undefined =
    last && last.next !== null
      ? { cursor: last.next, at: last.at, before: last.before + last.data.length }
      : undefined;
  return { accounts: looks.flatMap(({ data }) => data), before: looks[0]?.before ?? 0, next };
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
