import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, segment } from './call';

export interface BlockedIds {
  /** Of this tenant. */
  readonly data: readonly string[];
  /** Of every tenant. */
  readonly system: readonly string[];
}

export interface AccountIdTest {
  /** In the form in which it is compared and stored. */
  readonly account_id: string;
  readonly is_accepted: boolean;
  readonly messages: readonly string[];
  readonly blocked_by: { readonly pattern: string; readonly list: 'tenant' | 'system' } | null;
}

export function useBlockedIds() {
  return useQuery({
    queryKey: ['blocked-ids'],
    queryFn: ({ signal }) => call<BlockedIds>('/blocked-ids', { signal }),
  });
}

/** Answers with the pattern in the form in which it is kept. */
export function useBlock() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (pattern: string) =>
      call<{ pattern: string }>('/blocked-ids', { method: 'POST', body: { pattern } }),
    onSuccess: () => queries.invalidateQueries(),
  });
}

export function useUnblock() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (pattern: string) => call<void>(`/blocked-ids/${segment(pattern)}`, { method: 'DELETE' }),
    onSuccess: () => queries.invalidateQueries(),
  });
}

/** What would become of an id, by the rules of now. */
export function useAccountIdTest(id: string) {
  return useQuery({
    queryKey: ['blocked-ids', 'test', id],
    queryFn: ({ signal }) =>
      call<AccountIdTest>('/blocked-ids/test', { method: 'POST', body: { account_id: id }, signal }),
    enabled: id !== '',
    placeholderData: keepPreviousData,
  });
}
