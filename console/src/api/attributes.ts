import type { Attributes } from '@account-sync/client';
import { useQuery } from '@tanstack/react-query';
import { call } from './call';

/** The fields that the tenant knows, and those that were sent without being declared. */
export function useAttributes() {
  return useQuery({
    queryKey: ['attributes'],
    queryFn: ({ signal }) => call<Attributes>('/attributes', { signal }),
    staleTime: 30_000,
  });
}
