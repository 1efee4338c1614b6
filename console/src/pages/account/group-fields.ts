import type { Account, Attributes, Json } from '@account-sync/client';
import { type Field, fieldsOf, inGroups } from '../../api/fields';

export interface ShownField extends Field {
  readonly value: Json;
}

/** Fields under a heading of the page. */
export interface HeadedGroup<F extends Field> {
  readonly title: string;
  readonly fields: readonly F[];
}

export interface GroupedFields {
  /** Declared attributes that have a value. */
  readonly groups: readonly HeadedGroup<ShownField>[];
  readonly undeclared: readonly ShownField[];
  /** Declared attributes without a value. */
  readonly withoutValue: readonly Field[];
}

/** Groups the fields of an account. Attributes without a group come first, and of these the built-in ones. */
export function groupFields(account: Account, attributes: Attributes): GroupedFields {
  const find = fieldsOf(attributes);
  const declared = attributes.data.map(({ name }) => find(name));
  const present = Object.entries(account.fields).map(([name, value]) => ({ ...find(name), value }));
  return {
    groups: withHeadings(present.filter(({ attribute }) => attribute !== undefined)),
    undeclared: present
      .filter(({ attribute }) => attribute === undefined)
      .sort((a, b) => a.name.localeCompare(b.name)),
    withoutValue: inGroups(declared.filter(({ name }) => !Object.hasOwn(account.fields, name))).flatMap(
      ({ fields }) => fields,
    ),
  };
}

/** Declared attributes with the heading of their group, or of their kind. */
export function withHeadings<F extends Field>(declared: readonly F[]): HeadedGroup<F>[] {
  return inGroups(declared)
    .flatMap(({ group, fields }) => (group === null ? withoutGroup(fields) : { title: group, fields }))
    .filter(({ fields }) => fields.length > 0);
}

function withoutGroup<F extends Field>(fields: readonly F[]): HeadedGroup<F>[] {
  const isBuiltIn = ({ attribute }: Field) => attribute?.built_in === true;
  return [
    { title: 'Standard', fields: fields.filter(isBuiltIn) },
    { title: 'Custom', fields: fields.filter((field) => !isBuiltIn(field)) },
  ];
}
