import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, encodePathSegment } from './call';

export interface BlockedIds {
  /** Patterns of this tenant. */
  readonly data: readonly string[];
  /** Patterns that apply to every tenant. */
  readonly system: readonly string[];
}

export interface AccountIdTest {
  /** Normalised: the form that is compared and stored. */
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

/** Returns the pattern in its stored form. */
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
    mutationFn: (pattern: string) =>
      call<void>(`/blocked-ids/${encodePathSegment(pattern)}`, { method: 'DELETE' }),
    onSuccess: () => queries.invalidateQueries(),
  });
}

/** Tests whether the current rules accept an id. */
export function useAccountIdTest(id: string) {
  return useQuery({
    queryKey: ['blocked-ids', 'test', id],
    queryFn: ({ signal }) =>
      call<AccountIdTest>('/blocked-ids/test', { method: 'POST', body: { account_id: id }, signal }),
    enabled: id !== '',
    placeholderData: keepPreviousData,
  });
}
