import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from './call';

export interface Settings {
  readonly tenant: string;
  readonly account_ids: 'any' | 'domain';
  readonly undeclared_fields: 'keep' | 'reject';
  readonly hosts: readonly string[];
  /** Null: for ever. */
  readonly history_days: number | null;
  /** Null: as the server says. */
  readonly rejection_days: number | null;
  readonly created_at: string;
}

export type SettingChanges = Partial<
  Pick<Settings, 'account_ids' | 'undeclared_fields' | 'history_days' | 'rejection_days'>
>;

interface AccountIdCheck {
  readonly looked_at: number;
  readonly unfit: number;
  readonly unfit_examples: readonly string[];
  readonly next: string | null;
}

export function useSettings() {
  return useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => call<Settings>('/settings', { signal }),
  });
}

export function useChangeSettings() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: SettingChanges) => call<Settings>('/settings', { method: 'PATCH', body }),
    onSuccess: (settings) => {
      queries.setQueryData(['settings'], settings);
      // What is accepted has changed: whatever was found out under the old rules may be different now.
      return queries.invalidateQueries();
    },
  });
}

/** Looks at all stored ids, step by step, and sums up how many of them are no domains. */
export function useAccountIdCheck() {
  const check = useInfiniteQuery({
    queryKey: ['settings', 'account-id-check'],
    queryFn: ({ pageParam, signal }) =>
      call<AccountIdCheck>('/settings/account-ids/check', { parameters: { cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // Each time from the beginning, and never by itself: it reads all accounts.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = check;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const steps = check.data?.pages ?? [];
  return {
    error: check.error,
    retry: () => check.refetch(),
    isComplete: check.data !== undefined && !hasNextPage,
    lookedAt: sum(steps.map((step) => step.looked_at)),
    unfit: sum(steps.map((step) => step.unfit)),
    examples: steps.flatMap((step) => step.unfit_examples).slice(0, 5),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
