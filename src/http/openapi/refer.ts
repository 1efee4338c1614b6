/** By title. */
export type Schemas = Record<string, unknown>;

/** Values, which may look like schemas. */
const DATA = ['examples', 'enum', 'default', 'const', 'required'];

/** A copy in which schemas that have a title are only referred to; they themselves go to `schemas`. */
export function refer(schema: unknown, schemas: Schemas): unknown {
  if (Array.isArray(schema)) return schema.map((one) => refer(one, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    // The same here, since the pattern is that of any name, and known to more tools.
    if (key === 'patternProperties') copy.additionalProperties = refer(Object.values(value)[0], schemas);
    else copy[key] = DATA.includes(key) ? value : refer(value, schemas);
  }
  // Programs that make clients of the document want it said.
  if (Array.isArray(copy.enum)) copy.type ??= typeof copy.enum[0];
  if (typeof copy.title !== 'string') return copy;
  schemas[copy.title] ??= copy;
  return { $ref: `#/components/schemas/${copy.title}` };
}
