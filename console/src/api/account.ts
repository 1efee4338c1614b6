import type { Account, Ancestors, HistoryPage, Page } from '@account-sync/client';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { call, segment } from './call';

/** What is looked at follows what is stored. */
const LIVE_MS = 15_000;
const CHILDREN_A_PAGE = 50;
const CHANGES_A_PAGE = 20;

export interface Child extends Account {
  readonly has_children: boolean;
}

interface Counted {
  readonly count: { readonly accounts: number; readonly is_exact: boolean };
}

export function useAccount(id: string) {
  return useQuery({
    queryKey: ['account', id],
    queryFn: ({ signal }) => call<Account>(`/accounts/${segment(id)}`, { signal }),
    // What does not exist is asked for again on focus only.
    refetchInterval: ({ state }) => (state.status === 'error' ? false : LIVE_MS),
  });
}

export function useAncestors(id: string) {
  return useQuery({
    queryKey: ['account', id, 'ancestors'],
    queryFn: ({ signal }) => call<Ancestors>(`/accounts/${segment(id)}/ancestors`, { signal }),
    refetchInterval: LIVE_MS,
  });
}

/** How many name it as their parent; also where it is not stored itself. */
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
      const parameters = { limit: CHILDREN_A_PAGE, cursor: pageParam };
      return call<Page<Child>>(`/accounts/${segment(id)}/children`, { parameters, signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: LIVE_MS,
  });
}

/** Newest first. Asked for anew with each revision, since only then there is more. */
export function useHistory(id: string, field: string | undefined, revision: number | undefined) {
  return useInfiniteQuery({
    queryKey: ['account', id, 'history', field, revision],
    queryFn: ({ pageParam, signal }) => {
      const parameters = { limit: CHANGES_A_PAGE, cursor: pageParam, field };
      return call<HistoryPage>(`/accounts/${segment(id)}/history`, { parameters, signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

export function useDeleteAccount(id: string, onDeleted: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call<void>(`/accounts/${segment(id)}`, { method: 'DELETE' }),
    onSuccess: () => {
      // First away from the page, which would ask for what is gone.
      onDeleted();
      queries.removeQueries({ queryKey: ['account', id] });
      queries.invalidateQueries();
    },
  });
}
