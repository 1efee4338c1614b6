import type { Attribute, AttributeDefinition, Attributes } from '@account-sync/client';
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, encodePathSegment } from './call';
import { type FindField, fieldsOf, undeclaredField } from './fields';

export const ATTRIBUTES = ['attributes'];

const POLL_MS = 1_000;

/** Fields of every account that are not attributes, but may have an owner like one. */
const OWNABLE_FIELDS = ['name', 'parent_account_id'];

export function isOwnableField({ name }: Pick<Attribute, 'name'>): boolean {
  return OWNABLE_FIELDS.includes(name);
}

/** Declared attributes, and fields that were sent without a declaration. */
export function useAttributes() {
  return useAttributeQuery(withoutOwnableFields);
}

/** The same with the ownable fields, for the page that shows and changes owners. */
export function useAttributesAndOwnableFields() {
  return useAttributeQuery(withOwnableFields);
}

function useAttributeQuery(select: (attributes: Attributes) => Attributes) {
  // The response to a declaration arrives only when its index is built, so the state is polled until then.
  const isChanging = useIsMutating({ mutationKey: ATTRIBUTES }) > 0;
  return useQuery({
    queryKey: ATTRIBUTES,
    queryFn: readAttributes,
    select,
    refetchInterval: ({ state }) => (isChanging || isBuilding(state.data) ? POLL_MS : false),
  });
}

/** How to show a field. Until the attributes are loaded, fields have no label. */
export function useFields(): FindField {
  const query = useQuery({ queryKey: ATTRIBUTES, queryFn: readAttributes, select: fieldsOf });
  return query.data ?? undeclaredField;
}

function readAttributes({ signal }: { readonly signal: AbortSignal }): Promise<Attributes> {
  return call<Attributes>('/attributes', { signal });
}

export function useDeclare(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ATTRIBUTES,
    mutationFn: (body: AttributeDefinition) =>
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

/** The server lists them once their owner was set. Accounts have them outside `fields`. */
function withoutOwnableFields(attributes: Attributes): Attributes {
  return { ...attributes, data: attributes.data.filter((attribute) => !isOwnableField(attribute)) };
}

function withOwnableFields(attributes: Attributes): Attributes {
  const listed = new Set(attributes.data.map(({ name }) => name));
  const others = OWNABLE_FIELDS.filter((name) => !listed.has(name)).map(unownedField);
  return { ...attributes, data: [...attributes.data, ...others] };
}

function unownedField(name: string): Attribute {
  return {
    name,
    type: 'text',
    choices: [],
    read_only: false,
    built_in: true,
    owner: null,
    label: null,
    description: null,
    unit: null,
    position: null,
    group: null,
    index: 'none',
    index_progress: null,
    accounts: 0,
  };
}

function isBuilding(attributes: Attributes | undefined): boolean {
  return attributes?.data.some(({ index }) => index === 'building') === true;
}
