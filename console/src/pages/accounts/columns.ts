import type { Account, Attribute, Attributes, Json } from '@account-sync/client';
import { type Field, fieldsOf, inGroups, OWN_LABELS } from '../../api/fields';

export interface Column {
  /** Identifier in the URL. For a field, its name. */
  readonly id: string;
  readonly label: string;
  /** Column name in an exported file. */
  readonly name: string;
  readonly type?: Attribute['type'];
  /** Undefined for what is no field. */
  readonly field?: Field;
  readonly sort?: 'id' | 'name' | 'updated';
  readonly valueOf: (account: Account) => Json;
}

export const NAME: Column = {
  id: 'name',
  label: OWN_LABELS.name,
  name: 'name',
  sort: 'name',
  valueOf: ({ name }) => name,
};
export const ID: Column = {
  id: 'account_id',
  label: OWN_LABELS.account_id,
  name: 'account_id',
  sort: 'id',
  valueOf: ({ account_id }) => account_id,
};
export const PARENT: Column = {
  id: 'parent_account_id',
  label: OWN_LABELS.parent_account_id,
  name: 'parent_account_id',
  valueOf: ({ parent_account_id }) => parent_account_id,
};
// These ids start with a dot, because a field can have any name, including `updated_at`.
export const UPDATED: Column = {
  id: '.updated',
  label: 'Last change',
  name: 'updated_at',
  sort: 'updated',
  valueOf: ({ updated_at }) => updated_at,
};
export const CREATED: Column = {
  id: '.created',
  label: 'Created',
  name: 'created_at',
  valueOf: ({ created_at }) => created_at,
};

/** The name is not listed: its column links to the account, so it is always shown. */
const BUILT_IN = [ID, PARENT, UPDATED, CREATED];
const DEFAULT_ATTRIBUTES = 2;

/** All selectable columns: those of every account, then fields in their groups. */
export function columnsOf(attributes: Attributes): Column[] {
  const find = fieldsOf(attributes);
  const fields = [...attributes.data, ...attributes.undeclared].map(({ name }) => find(name));
  return [...BUILT_IN, ...inGroups(fields).flatMap((group) => group.fields.map(fieldColumn))];
}

function fieldColumn(field: Field): Column {
  const { name, label, attribute } = field;
  return {
    id: name,
    label,
    name,
    field,
    ...(attribute && { type: attribute.type }),
    valueOf: ({ fields }) => (Object.hasOwn(fields, name) ? (fields[name] ?? null) : null),
  };
}

/** The selected columns in their order. An unknown field is still shown, because accounts may have values for it. */
export function shownColumns(ids: readonly string[] | undefined, attributes: Attributes): Column[] {
  const known = new Map(columnsOf(attributes).map((column) => [column.id, column]));
  const find = fieldsOf(attributes);
  const chosen = (ids ?? defaultIds(attributes.data)).filter((id) => id !== NAME.id);
  return [NAME, ...chosen.map((id) => known.get(id) ?? fieldColumn(find(id)))];
}

/** Prefers widely used attributes, and among them the indexed ones, which users filter by. */
function defaultIds(attributes: readonly Attribute[]): string[] {
  const most = Math.max(...attributes.map(({ accounts }) => accounts), 1);
  const inUse = attributes.filter(({ accounts }) => accounts >= most / 2);
  const indexed = inUse.filter(({ index }) => index !== 'none');
  const names = new Set([...indexed, ...inUse].map(({ name }) => name));
  return [ID.id, PARENT.id, ...[...names].slice(0, DEFAULT_ATTRIBUTES), UPDATED.id];
}
