import type { Attribute, Attributes } from '@account-sync/client';
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, segment } from './call';

export const ATTRIBUTES = ['attributes'];

const POLL_MS = 1_000;

/** As `PUT /attributes/{name}` takes it. */
export interface Declaration {
  readonly type: Attribute['type'];
  readonly choices: readonly string[];
  readonly read_only: boolean;
  readonly indexed: boolean;
}

/** The fields that the tenant knows, and those that were sent without being declared. */
export function useAttributes() {
  // A declaration is answered when its index is built: how far it is, is to be asked meanwhile.
  const isChanging = useIsMutating({ mutationKey: ATTRIBUTES }) > 0;
  return useQuery({
    queryKey: ATTRIBUTES,
    queryFn: ({ signal }) => call<Attributes>('/attributes', { signal }),
    refetchInterval: ({ state }) => (isChanging || isBuilding(state.data) ? POLL_MS : false),
  });
}

export function useDeclare(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ATTRIBUTES,
    mutationFn: (body: Declaration) =>
      call<Attribute>(`/attributes/${segment(name)}`, { method: 'PUT', body }),
    onSettled: () => queries.invalidateQueries({ queryKey: ATTRIBUTES }),
  });
}

export function useTakeBack(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ATTRIBUTES,
    mutationFn: () => call<void>(`/attributes/${segment(name)}`, { method: 'DELETE' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ATTRIBUTES }),
  });
}

function isBuilding(attributes: Attributes | undefined): boolean {
  return attributes?.data.some(({ index }) => index === 'building') === true;
}
