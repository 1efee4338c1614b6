import type { Attribute, AttributeDefinition, AttributeOwner } from '@account-sync/client';
import type { ValueType } from '../../api/attribute-check';

/** An unsaved declaration. */
export interface Draft {
  readonly name: string;
  readonly type: Attribute['type'];
  /** Kept while another type is selected. */
  readonly choices: readonly string[];
  readonly isReadOnly: boolean;
  readonly isIndexed: boolean;
  /** The source that owns it. Undefined: every source may change it. */
  readonly owner: string | undefined;
  /** Kept while there is no owner. */
  readonly others: AttributeOwner['others'];
  /** Empty for none, as are the members below. */
  readonly label: string;
  readonly description: string;
  readonly unit: string;
  readonly group: string;
  readonly position: string | number;
}

export const NEW_DRAFT: Draft = {
  name: 'custom_',
  type: 'text',
  choices: [],
  isReadOnly: false,
  isIndexed: false,
  owner: undefined,
  others: 'reject',
  label: '',
  description: '',
  unit: '',
  group: '',
  position: '',
};

export const PRESENTATION = ['label', 'description', 'unit', 'group', 'position'] as const;

export function draftOfField(name: string, type: Draft['type']): Draft {
  return { ...NEW_DRAFT, name, type };
}

export function draftOf(attribute: Attribute): Draft {
  const { name, type, choices, read_only: isReadOnly, index, owner } = attribute;
  return {
    name,
    type,
    choices,
    isReadOnly,
    isIndexed: index !== 'none',
    owner: owner?.source,
    others: owner?.others ?? 'reject',
    label: attribute.label ?? '',
    description: attribute.description ?? '',
    unit: attribute.unit ?? '',
    group: attribute.group ?? '',
    position: attribute.position ?? '',
  };
}

export function valueTypeOf({ type, choices }: Draft): ValueType {
  return { type, choices: type === 'choice' ? choices : [] };
}

/** The draft as a request body. The owner and the presentation are left out where they equal the `first` draft. */
export function declarationOf(draft: Draft, first: Draft): AttributeDefinition {
  const isSameOwner =
    draft.owner === first.owner && (draft.owner === undefined || draft.others === first.others);
  return {
    ...valueTypeOf(draft),
    read_only: draft.isReadOnly,
    indexed: draft.isIndexed,
    ...(!isSameOwner && { owner: ownerOf(draft) }),
    ...changedPresentation(draft, first),
  };
}

function ownerOf({ owner: source, others }: Draft): AttributeOwner | null {
  return source === undefined ? null : { source, others };
}

function changedPresentation(draft: Draft, first: Draft) {
  const changed = PRESENTATION.filter((part) => draft[part] !== first[part]);
  return Object.fromEntries(changed.map((part) => [part, readEntry(draft[part])]));
}

function readEntry(entered: string | number): string | number | null {
  const value = typeof entered === 'string' ? entered.trim() : entered;
  return value === '' ? null : value;
}
