import type { Account, Ancestors, HistoryPage, Page } from '@account-sync/client';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { call, encodePathSegment, isNotFound } from './call';

/** Poll interval: the page follows changes by other systems. */
const LIVE_MS = 15_000;
const CHILDREN_PER_PAGE = 50;
const CHANGES_PER_PAGE = 20;

export interface Child extends Account {
  readonly has_children: boolean;
}

interface Counted {
  readonly count: { readonly accounts: number; readonly is_exact: boolean };
}

export function useAccount(id: string) {
  return useQuery({
    queryKey: ['account', id],
    queryFn: ({ signal }) => call<Account>(`/accounts/${encodePathSegment(id)}`, { signal }),
    // An account that does not exist is requested again on focus only.
    refetchInterval: ({ state }) => (state.status === 'error' ? false : LIVE_MS),
  });
}

/** Whether no account has this id, as far as is known. Without an id, nothing is read. */
export function useIsMissing(id: string | null): boolean {
  const { error } = useQuery({
    enabled: id !== null,
    queryKey: ['account', id],
    queryFn: ({ signal }) => call<Account>(`/accounts/${encodePathSegment(id ?? '')}`, { signal }),
  });
  return isNotFound(error);
}

export function useAncestors(id: string) {
  return useQuery({
    queryKey: ['account', id, 'ancestors'],
    queryFn: ({ signal }) => call<Ancestors>(`/accounts/${encodePathSegment(id)}/ancestors`, { signal }),
    refetchInterval: LIVE_MS,
  });
}

/** Number of accounts with this parent. Works for a parent that is not stored, too. */
export function useChildCount(id: string) {
  return useQuery({
    queryKey: ['account', id, 'child-count'],
    queryFn: async ({ signal }) => {
      const parameters = { parent: id, limit: 1, count: true };
      return (await call<Counted>('/accounts', { parameters, signal })).count;
    },
    refetchInterval: LIVE_MS,
  });
}

export function useChildren(id: string) {
  return useInfiniteQuery({
    queryKey: ['account', id, 'children'],
    queryFn: ({ pageParam, signal }) => {
      const parameters = { limit: CHILDREN_PER_PAGE, cursor: pageParam };
      return call<Page<Child>>(`/accounts/${encodePathSegment(id)}/children`, { parameters, signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: LIVE_MS,
  });
}

/** Newest first. The revision is part of the query key, because a new change means a new revision. */
export function useHistory(id: string, field: string | undefined, revision: number | undefined) {
  return useInfiniteQuery({
    queryKey: ['account', id, 'history', field, revision],
    queryFn: ({ pageParam, signal }) => {
      const parameters = { limit: CHANGES_PER_PAGE, cursor: pageParam, field };
      return call<HistoryPage>(`/accounts/${encodePathSegment(id)}/history`, { parameters, signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

export function useDeleteAccount(id: string, onDeleted: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call<void>(`/accounts/${encodePathSegment(id)}`, { method: 'DELETE' }),
    onSuccess: () => {
      // Leave the page first: it would request the deleted account again.
      onDeleted();
      queries.removeQueries({ queryKey: ['account', id] });
      queries.invalidateQueries();
    },
  });
}
