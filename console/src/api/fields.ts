import type { Attribute, Attributes } from '@account-sync/client';

/** A field of accounts, as people see it. */
export interface Field {
  readonly name: string;
  /** The label, or the name without one; both, if it is an attribute and another field is called the same. */
  readonly label: string;
  /** The name, unless it is shown already, and the description. */
  readonly title: string | undefined;
  /** Undefined for a field that is not declared. */
  readonly attribute: Attribute | undefined;
}

export type FindField = (name: string) => Field;

/** Fields under the same heading. */
export interface FieldGroup<F extends Field> {
  /** Null for fields without a group. */
  readonly group: string | null;
  readonly fields: readonly F[];
}

/** A page shows many fields, so the labels of one response are computed once. */
const known = new WeakMap<Attributes, FindField>();

export function fieldsOf(attributes: Attributes): FindField {
  const found = known.get(attributes) ?? readFields(attributes);
  known.set(attributes, found);
  return found;
}

/** The labels of fields that are no attributes. */
export const OWN_LABELS = { account_id: 'Id', parent_account_id: 'Parent', name: 'Name' } as const;
const OWN_NAMES = new Map<string, string>(Object.entries(OWN_LABELS));

function readFields({ data, undeclared: others }: Attributes): FindField {
  const names = [...new Set([...OWN_NAMES.keys(), ...[...data, ...others].map(({ name }) => name)])];
  const attributes = new Map(data.map((attribute) => [attribute.name, attribute]));
  const textOf = (name: string) => attributes.get(name)?.label ?? OWN_NAMES.get(name) ?? name;
  const uses = new Map<string, number>();
  for (const name of names) uses.set(textOf(name), (uses.get(textOf(name)) ?? 0) + 1);
  const fields = new Map(
    data.map((attribute) => {
      const { name, description } = attribute;
      const text = textOf(name);
      const isTaken = text !== name && !OWN_NAMES.has(name) && uses.get(text) !== 1;
      const label = isTaken ? `${text} (${name})` : text;
      const title = [label === name ? null : name, description].filter((part) => part !== null).join('\n');
      return [name, { name, label, title: title || undefined, attribute }];
    }),
  );
  return (name) => fields.get(name) ?? undeclaredField(name);
}

export function undeclaredField(name: string): Field {
  const label = OWN_NAMES.get(name);
  return { name, label: label ?? name, title: label && name, attribute: undefined };
}

/** Fields without a group, then the groups by their first position; fields by position. Then by what is shown. */
export function inGroups<F extends Field>(fields: readonly F[]): FieldGroup<F>[] {
  const groups = new Map<string | null, F[]>();
  for (const field of fields.toSorted(byPlace)) {
    const group = field.attribute?.group ?? null;
    groups.set(group, [...(groups.get(group) ?? []), field]);
  }
  return [...groups]
    .map(([group, members]) => ({ group, fields: members }))
    .sort((a, b) => {
      if (a.group === null || b.group === null) return a.group === null ? -1 : 1;
      return positionOf(a.fields[0]) - positionOf(b.fields[0]) || compare(a.group, b.group);
    });
}

function byPlace(a: Field, b: Field): number {
  return positionOf(a) - positionOf(b) || compare(a.label, b.label);
}

/** Fields without a position come last. */
function positionOf(field: Field | undefined): number {
  return field?.attribute?.position ?? Number.MAX_SAFE_INTEGER;
}

function compare(a: string, b: string): number {
  return a.localeCompare(b, undefined, { numeric: true });
}
