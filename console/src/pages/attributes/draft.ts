import type { Attribute, AttributeOwner } from '@account-sync/client';
import type { ValueType } from '../../api/attribute-check';
import type { Declaration } from '../../api/attributes';

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
}

export const NEW_DRAFT: Draft = {
  name: 'custom_',
  type: 'text',
  choices: [],
  isReadOnly: false,
  isIndexed: false,
  owner: undefined,
  others: 'reject',
};

export function draftOfField(name: string, type: Draft['type']): Draft {
  return { ...NEW_DRAFT, name, type };
}

export function draftOf({ name, type, choices, read_only: isReadOnly, index, owner }: Attribute): Draft {
  return {
    name,
    type,
    choices,
    isReadOnly,
    isIndexed: index !== 'none',
    owner: owner?.source,
    others: owner?.others ?? 'reject',
  };
}

export function valueTypeOf({ type, choices }: Draft): ValueType {
  return { type, choices: type === 'choice' ? choices : [] };
}

/** The draft as a request body. The owner is left out unless it differs from that of the `first` draft. */
export function declarationOf(draft: Draft, first: Draft): Declaration {
  const isSameOwner =
    draft.owner === first.owner && (draft.owner === undefined || draft.others === first.others);
  return {
    ...valueTypeOf(draft),
    read_only: draft.isReadOnly,
    indexed: draft.isIndexed,
    ...(!isSameOwner && { owner: ownerOf(draft) }),
  };
}

function ownerOf({ owner: source, others }: Draft): AttributeOwner | null {
  return source === undefined ? null : { source, others };
}
