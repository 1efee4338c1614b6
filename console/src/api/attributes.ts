import type { Attributes } from '@account-sync/client';
import { useQuery } from '@tanstack/react-query';
import { call } from './call';

export const ATTRIBUTES = ['attributes'];

export function useAttributes() {
  return useQuery({
    queryKey: ATTRIBUTES,
    queryFn: ({ signal }) => call<Attributes>('/attributes', { signal }),
  });
}
