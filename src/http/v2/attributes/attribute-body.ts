import Type, { type Static } from 'typebox';
import { TYPE_NAMES } from '../../../domain/attribute-types.js';
import { type Attribute, BUILT_IN_ATTRIBUTES, indexProgress, isBuiltIn } from '../../../domain/tenant.js';
import type { Store } from '../../../store/store.js';
import { nullable } from '../schemas.js';

export const AttributeSchema = Type.Object(
  {
    name: Type.String(),
    type: Type.Enum([...TYPE_NAMES]),
    choices: Type.Array(Type.String()),
    read_only: Type.Boolean(),
    built_in: Type.Boolean(),
    index: Type.Enum(['none', 'building', 'ready'], {
      description: 'Whether accounts can be listed by its value with an index.',
    }),
    index_progress: nullable(
      Type.Number({ description: 'The share of the accounts that are indexed; null unless `building`.' }),
    ),
    accounts: Type.Integer({ description: 'Number of accounts that have a value, about a second old.' }),
  },
  {
    title: 'Attribute',
    examples: [
      {
        name: 'custom_Tier',
        type: 'choice',
        choices: ['gold', 'silver'],
        read_only: false,
        built_in: false,
        index: 'building',
        index_progress: 0.42,
        accounts: 12,
      },
    ],
  },
);

export const AttributeNameParams = Type.Object({
  name: Type.String({ minLength: 1, description: 'The name of the attribute.', examples: ['custom_Tier'] }),
});

/** Read from the store: cached rules may be half a second old, and clients read an attribute right after a change. */
export async function attributesOf(store: Store, tenantId: number): Promise<Map<string, Attribute>> {
  const declared = await store.directory.attributes.list(tenantId);
  return new Map([...BUILT_IN_ATTRIBUTES, ...declared].map((attribute) => [attribute.name, attribute]));
}

export interface AttributeCounts {
  /** Accounts that have a value. */
  readonly accounts: number;
  /** All accounts of the tenant. */
  readonly total: number;
}

export function attributeBody(
  attribute: Attribute,
  { accounts, total }: AttributeCounts,
): Static<typeof AttributeSchema> {
  const { name, type, choices, readOnly, index = 'none' } = attribute;
  return {
    name,
    type,
    choices: [...choices],
    read_only: readOnly,
    built_in: isBuiltIn(name),
    index,
    index_progress: indexProgress(attribute, total) ?? null,
    accounts,
  };
}
