import { canonicalId } from './canonical-id.js';
import { storedValue } from './stored-value.js';
import type { TenantModel } from './tenant-model.js';

export interface ListQuery {
  readonly search?: string;
  readonly id_prefix?: string;
  readonly name_prefix?: string;
  readonly parent?: string;
  /** `name:value` */
  readonly attribute?: string;
  readonly updated_since?: string;
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
  };
}

/** A to Z alone are the same in either case. */
const fold = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
/** By code points. */
const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The ids that a listing gives, in its order; undefined where an attribute is not declared, or cannot be that. */
export function listed(model: TenantModel, query: ListQuery): string[] | undefined {
  const { search, id_prefix, name_prefix, parent, attribute, updated_since } = query;
  const canonical = (text: string) => canonicalId(text, model.rules.account_ids);
  const nameOf = (id: string) => model.accounts.get(id)?.get('name') as string | undefined;
  const begins = (id: string, prefix: string) => fold(nameOf(id) ?? '\0').startsWith(fold(prefix));
  const [, field = '', text = ''] = /^([^:]*):(.*)$/s.exec(attribute ?? '') ?? [];
  const declared = model.rules.attributes.get(field);
  const value = declared && storedValue(text, declared);
  if (attribute !== undefined && value === undefined) return undefined;
  const found = [...model.accounts.keys()].filter((id) => {
    const fields = model.accounts.get(id);
    return (
      (search === undefined || id.startsWith(canonical(search)) || begins(id, search.trimStart())) &&
      (id_prefix === undefined || id.startsWith(canonical(id_prefix))) &&
      (name_prefix === undefined || begins(id, name_prefix)) &&
      (parent === undefined || fields?.get('parent_account_id') === canonical(parent)) &&
      (attribute === undefined || fields?.get(field) === value) &&
      (updated_since === undefined || (model.changesOf(id).at(-1)?.at ?? '') >= updated_since)
    );
  });
  const byId = found.toSorted(compare);
  const named = (ids: string[]) =>
    ids
      .filter((id) => nameOf(id) !== undefined)
      .toSorted((a, b) => compare(fold(nameOf(a) ?? ''), fold(nameOf(b) ?? '')) || compare(a, b));
  const nameless = byId.filter((id) => nameOf(id) === undefined);
  const lastChange = (id: string) => model.changes.findLastIndex(({ account_id }) => account_id === id);
  const byChange = found.toSorted((a, b) => lastChange(a) - lastChange(b));
  const isMatch = (id: string) => id.startsWith(canonical(search ?? ''));
  const orders: Record<Order, () => string[]> = {
    id: () => byId,
    '-id': () => byId.toReversed(),
    name: () => [...named(byId), ...nameless],
    '-name': () => [...named(byId).toReversed(), ...nameless],
    updated: () => byChange,
    '-updated': () => byChange.toReversed(),
    match: () => [...byId.filter(isMatch), ...named(byId.filter((id) => !isMatch(id)))],
  };
  return orders[query.sort ?? usualOrder(query)]();
}

function usualOrder({ search, name_prefix, ...others }: ListQuery): Order {
  if (search !== undefined) return 'match';
  if (name_prefix !== undefined) return 'name';
  return others.updated_since !== undefined && Object.keys(others).length === 1 ? 'updated' : 'id';
}

const parentOf = (model: TenantModel, id: string) =>
  model.accounts.get(id)?.get('parent_account_id') as string | undefined;

export function childrenOf(model: TenantModel, parent: string): string[] {
  return [...model.accounts.keys()].filter((id) => parentOf(model, id) === parent).toSorted(compare);
}

/** Nearest first. */
export function wayUp(model: TenantModel, id: string) {
  const way = [id];
  for (;;) {
    const parent = parentOf(model, way.at(-1) as string);
    const end = { ids: way.slice(1), missing_parent: null, cycle: null };
    if (parent === undefined) return end;
    if (way.includes(parent)) return { ...end, cycle: [...way.slice(way.indexOf(parent)), parent] };
    if (!model.accounts.has(parent)) return { ...end, missing_parent: parent };
    way.push(parent);
  }
}

/** Depth first, each by the way to it. */
export function descendantsOf(model: TenantModel, root: string) {
  const paths: string[][] = [];
  let cycle: string[] | null = null;
  const descend = (id: string, above: string[]) => {
    for (const child of childrenOf(model, id)) {
      const path = [...above, child];
      if (child === root) cycle = [root, ...path];
      else {
        paths.push(path);
        descend(child, path);
      }
    }
  };
  descend(root, []);
  return { paths, cycle };
}
