import Type from 'typebox';
import { guessType, SHAPE_NAMES } from '../../../domain/attribute-types.js';
import { principalOf } from '../../auth/authenticate.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { AttributeSchema, attributeBody, attributesOf } from './attribute-body.js';

export const AttributesSchema = Type.Object({
  data: Type.Array(AttributeSchema),
  undeclared: Type.Array(
    Type.Object(
      {
        name: Type.String(),
        accounts: Type.Integer(),
        guess: Type.Enum([...SHAPE_NAMES], { description: 'A type that all values so far fit.' }),
      },
      { examples: [{ name: 'custom_Seats', accounts: 12, guess: 'integer' }] },
    ),
  ),
});

export function listAttributes(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'read', {
    id: 'list-attributes',
    tag: 'Schema',
    summary: 'List attributes and undeclared fields',
    description: 'Returns the declared attributes, and the fields that accounts have without a declaration.',
    schema: {},
    responses: { 200: { description: 'All attributes.', schema: AttributesSchema } },
  });
  app.get('/attributes', options, async (request) => {
    const { tenant } = principalOf(request);
    const attributes = await attributesOf(parts.store, tenant.id);
    const used = await parts.store.statistics.fields(tenant.id);
    const total = await parts.store.statistics.stored(tenant.id);
    const accounts = new Map(used.map((field) => [field.name, field.accounts]));
    const known = new Set(['name', 'parent_account_id', ...attributes.keys()]);
    return {
      data: [...attributes.values()].map((attribute) =>
        attributeBody(attribute, { accounts: accounts.get(attribute.name) ?? 0, total }),
      ),
      undeclared: used
        .filter(({ name }) => !known.has(name))
        .map((field) => ({ name: field.name, accounts: field.accounts, guess: guessType(field.shapes) })),
    };
  });
}
