import type { Account, Attribute, Json } from '@account-sync/client';

export interface Field {
  readonly name: string;
  readonly value: Json;
  readonly type: Attribute['type'] | undefined;
}

export interface GroupedFields {
  readonly standard: readonly Field[];
  readonly custom: readonly Field[];
  readonly undeclared: readonly Field[];
  /** Declared attributes without a value. */
  readonly withoutValue: readonly string[];
}

/** Groups fields by the kind of their declaration, sorted by name. */
export function groupFields(account: Account, attributes: readonly Attribute[]): GroupedFields {
  const byName = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  const fields = Object.entries(account.fields)
    .map(([name, value]) => ({ name, value, type: byName.get(name)?.type }))
    .sort((a, b) => a.name.localeCompare(b.name));
  const isBuiltIn = ({ name }: Field) => byName.get(name)?.built_in === true;
  const isUndeclared = ({ name }: Field) => account.undeclared.includes(name);
  return {
    standard: fields.filter(isBuiltIn),
    custom: fields.filter((field) => !isBuiltIn(field) && !isUndeclared(field)),
    undeclared: fields.filter(isUndeclared),
    withoutValue: attributes.map(({ name }) => name).filter((name) => !Object.hasOwn(account.fields, name)),
  };
}
