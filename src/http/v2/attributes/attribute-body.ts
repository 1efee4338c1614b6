import Type, { type Static } from 'typebox';
import { OWNED_FIELD_MODES } from '../../../domain/account.js';
import { TYPE_NAMES } from '../../../domain/attribute-types.js';
import { NO_PRESENTATION } from '../../../domain/presentation.js';
import { type Attribute, BUILT_IN_ATTRIBUTES, indexProgress, isBuiltIn } from '../../../domain/tenant.js';
import type { Store } from '../../../store/store.js';
import { nullable } from '../../../wire/schemas.js';

export const OwnerSchema = Type.Object(
  {
    source: Type.String({ minLength: 1, description: 'The source that owns it.' }),
    others: Type.Enum([...OWNED_FIELD_MODES], {
      description:
        'What happens to a different value of another source: `reject` rejects the record as if the attribute were ' +
        'read-only, `keep` leaves the stored value and tells it in the header `Account-Sync-Kept`.',
    }),
  },
  { description: 'Null if every source may change it.' },
);

export const AttributeSchema = Type.Object(
  {
    name: Type.String(),
    type: Type.Enum([...TYPE_NAMES]),
    choices: Type.Array(Type.String()),
    read_only: Type.Boolean(),
    built_in: Type.Boolean(),
    owner: nullable(OwnerSchema),
    label: nullable(Type.String({ description: 'The name that people see.' })),
    description: nullable(Type.String()),
    unit: nullable(Type.String({ description: 'Shown after values.' })),
    position: nullable(Type.Integer({ description: 'The place within the group.' })),
    group: nullable(Type.String({ description: 'The heading under which people see it.' })),
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
        owner: { source: 'billing', others: 'reject' },
        label: 'Tier',
        description: 'What the customer pays for.',
        unit: null,
        position: 10,
        group: 'Contract',
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
  const { name, type, choices, readOnly, owner, presentation = NO_PRESENTATION, index = 'none' } = attribute;
  return {
    name,
    type,
    choices: [...choices],
    read_only: readOnly,
    built_in: isBuiltIn(name),
    owner: owner ?? null,
    ...presentation,
    index,
    index_progress: indexProgress(attribute, total) ?? null,
    accounts,
  };
}
