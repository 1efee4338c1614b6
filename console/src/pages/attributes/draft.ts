import type { Attribute } from '@account-sync/client';
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
}

export const NEW_DRAFT: Draft = {
  name: 'custom_',
  type: 'text',
  choices: [],
  isReadOnly: false,
  isIndexed: false,
};

export function draftOfField(name: string, type: Draft['type']): Draft {
  return { ...NEW_DRAFT, name, type };
}

export function draftOf({ name, type, choices, read_only: isReadOnly, index }: Attribute): Draft {
  return { name, type, choices, isReadOnly, isIndexed: index !== 'none' };
}

export function valueTypeOf({ type, choices }: Draft): ValueType {
  return { type, choices: type === 'choice' ? choices : [] };
}

export function declarationOf(draft: Draft): Declaration {
  return { ...valueTypeOf(draft), read_only: draft.isReadOnly, indexed: draft.isIndexed };
}
