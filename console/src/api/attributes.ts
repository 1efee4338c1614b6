import type { Attribute, Attributes } from '@account-sync/client';
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, encodePathSegment } from './call';

export const ATTRIBUTES = ['attributes'];

const POLL_MS = 1_000;

/** Body of `PUT /attributes/{name}`. */
export interface Declaration {
  readonly type: Attribute['type'];
  readonly choices: readonly string[];
  readonly read_only: boolean;
  readonly indexed: boolean;
}

/** Declared attributes, and fields that were sent without a declaration. */
export function useAttributes() {
  // The response to a declaration arrives only when its index is built, so the state is polled until then.
  const isChanging = useIsMutating({ mutationKey: ATTRIBUTES }) > 0;
  return useQuery({
    queryKey: ATTRIBUTES,
    queryFn: ({ signal }) => call<Attributes>('/attributes', { signal }),
    refetchInterval: ({ state }) => (isChanging || isBuilding(state.data) ? POLL_MS : false),
  });
}

/** Types of the declared attributes by name. */
export function useAttributeTypes(): ReadonlyMap<string, Attribute['type']> {
  return new Map(useAttributes().data?.data.map(({ name, type }) => [name, type]));
}

export function useDeclare(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ATTRIBUTES,
    mutationFn: (body: Declaration) =>
      call<Attribute>(`/attributes/${encodePathSegment(name)}`, { method: 'PUT', body }),
    onSettled: () => queries.invalidateQueries({ queryKey: ATTRIBUTES }),
  });
}

export function useRemoveDeclaration(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ATTRIBUTES,
    mutationFn: () => call<void>(`/attributes/${encodePathSegment(name)}`, { method: 'DELETE' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ATTRIBUTES }),
  });
}

function isBuilding(attributes: Attributes | undefined): boolean {
  return attributes?.data.some(({ index }) => index === 'building') === true;
}
