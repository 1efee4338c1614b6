import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from './call';

export interface Settings {
  readonly tenant: string;
  readonly account_ids: 'any' | 'domain';
  readonly undeclared_fields: 'keep' | 'reject';
  readonly hosts: readonly string[];
  /** Null: no limit. */
  readonly history_days: number | null;
  /** Null: the server's default. */
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
      // The new rules may change the results of earlier checks.
      return queries.invalidateQueries();
    },
  });
}

/** Checks all stored ids in steps and counts those that are not domain names. */
export function useAccountIdCheck() {
  const check = useInfiniteQuery({
    queryKey: ['settings', 'account-id-check'],
    queryFn: ({ pageParam, signal }) =>
      call<AccountIdCheck>('/settings/account-ids/check', { parameters: { cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // It reads all accounts, so it never runs again by itself, and always starts from the beginning.
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
    checked: sum(steps.map((step) => step.looked_at)),
    unfit: sum(steps.map((step) => step.unfit)),
    examples: steps.flatMap((step) => step.unfit_examples).slice(0, 5),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
