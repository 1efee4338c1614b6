import { canonicalId } from './canonical-id.js';
import { type Json, storedValue } from './stored-value.js';
import type { TenantModel } from './tenant-model.js';

export interface ListQuery {
  readonly search?: string;
  readonly id_prefix?: string;
  readonly name_prefix?: string;
  readonly parent?: string;
  /** `name:value` */
  readonly attribute?: string;
  readonly updated_since?: string;
  readonly archived?: 'exclude' | 'include' | 'only';
  readonly sort?: 'id' | '-id' | 'name' | '-name' | 'updated' | '-updated';
}

type Order = NonNullable<ListQuery['sort']> | 'match';

export function accountBody(model: TenantModel, id: string) {
  const {
    parent_account_id = null,
    name = null,
    ...fields
  } = Object.fromEntries(model.accounts.get(id) ?? []);
  const changes = model.changesOf(id);
  return {
    account_id: id,
    parent_account_id,
    name,
    fields,
    undeclared: Object.keys(fields)
      .filter((field) => !model.rules.attributes.has(field))
      .sort(),
    revision: changes.length,
    created_at: changes.findLast(({ kind }) => kind === 'created')?.at,
    updated_at: changes.at(-1)?.at,
    archived_at: model.archivedAt(id),
  };
}

/** Only the letters A to Z are case-insensitive. */
const fold = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
/** Compares by code points. */
export const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The ids of a listing, in its order; `undefined` if the attribute is not declared or its value is invalid. */
export function matchingIds(model: TenantModel, query: ListQuery): string[] | undefined {
  const { search = '', attribute } = query;
  const value = attribute === undefined ? null : attributeIn(model, attribute);
  if (value === undefined) return undefined;
  const byId = [...model.accounts.keys()].filter((id) => matches(model, query, id, value)).toSorted(compare);
  const nameOf = (id: string) => nameIn(model, id) ?? '';
  const nameless = byId.filter((id) => nameIn(model, id) === undefined);
  const byName = byId
    .filter((id) => !nameless.includes(id))
    .toSorted((a, b) => compare(fold(nameOf(a)), fold(nameOf(b))) || compare(a, b));
  const lastChange = (id: string) => model.changes.findLastIndex(({ account_id }) => account_id === id);
  const byChange = byId.toSorted((a, b) => lastChange(a) - lastChange(b));
  const isMatch = (id: string) => id.startsWith(canonicalId(search, model.rules.account_ids));
  const orders: Record<Order, () => string[]> = {
    id: () => byId,
    '-id': () => byId.toReversed(),
    name: () => [...byName, ...nameless],
    '-name': () => [...byName.toReversed(), ...nameless],
    updated: () => byChange,
    '-updated': () => byChange.toReversed(),
    match: () => [...byId.filter(isMatch), ...byName.filter((id) => !isMatch(id))],
  };
  return orders[query.sort ?? defaultOrder(query)]();
}

/** The attribute value of the filter, in its stored form. */
function attributeIn({ rules }: TenantModel, attribute: string): Json | undefined {
  const [field, text] = partsOf(attribute);
  const declared = rules.attributes.get(field);
  return declared && storedValue(text, declared);
}

function partsOf(attribute: string): [field: string, text: string] {
  const colon = attribute.indexOf(':');
  return [attribute.slice(0, colon), attribute.slice(colon + 1)];
}

function nameIn({ accounts }: TenantModel, id: string): string | undefined {
  return accounts.get(id)?.get('name') as string | undefined;
}

function matches(model: TenantModel, query: ListQuery, id: string, value: Json): boolean {
  const { search, id_prefix, name_prefix, parent, attribute = '', updated_since = '' } = query;
  const { archived = 'exclude' } = query;
  const isArchived = model.archivedAt(id) !== null;
  const canonical = (text: string) => canonicalId(text, model.rules.account_ids);
  const hasName = (prefix: string) => fold(nameIn(model, id) ?? '\0').startsWith(fold(prefix));
  const fields = model.accounts.get(id);
  return (
    (archived === 'include' || isArchived === (archived === 'only')) &&
    (search === undefined || id.startsWith(canonical(search)) || hasName(search.trimStart())) &&
    (id_prefix === undefined || id.startsWith(canonical(id_prefix))) &&
    (name_prefix === undefined || hasName(name_prefix)) &&
    (parent === undefined || fields?.get('parent_account_id') === canonical(parent)) &&
    (attribute === '' || fields?.get(partsOf(attribute)[0]) === value) &&
    (model.changesOf(id).at(-1)?.at ?? '') >= updated_since
  );
}

function defaultOrder({ search, name_prefix, archived: _, ...others }: ListQuery): Order {
  if (search !== undefined) return 'match';
  if (name_prefix !== undefined) return 'name';
  return others.updated_since !== undefined && Object.keys(others).length === 1 ? 'updated' : 'id';
}
