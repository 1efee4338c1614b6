import type { TSchema } from 'typebox';

interface Form {
  readonly type?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
}

/** A schema's own example, or one put together from those within it. */
export function exampleOf(schema: TSchema): unknown {
  const form = schema as Form;
  const own = form.examples?.[0] ?? form.default ?? form.enum?.[0];
  if (own !== undefined) return own;
  if (form.type === 'null') return null;
  if (form.anyOf !== undefined) return form.anyOf.map(exampleOf).find((example) => example !== undefined);
  if (form.items !== undefined) return [exampleOf(form.items)].filter((example) => example !== undefined);
  const { properties, required = [] } = form;
  if (properties === undefined) return undefined;
  const entries = required.map((name) => [name, exampleOf(properties[name] as TSchema)] as const);
  return entries.some(([, example]) => example === undefined) ? undefined : Object.fromEntries(entries);
}
