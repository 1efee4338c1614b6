import type { Attribute } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { declarationOf, draftOf, NEW_DRAFT } from './draft';

const MRR: Attribute = {
  name: 'custom_Mrr',
  type: 'decimal',
  choices: [],
  read_only: false,
  built_in: false,
  owner: { source: 'billing', others: 'keep' },
  index: 'none',
  index_progress: null,
  accounts: 3,
};

describe('a draft of a declaration', () => {
  const owned = draftOf(MRR);
  const unowned = draftOf({ ...MRR, owner: null });

  it('leaves out the owner unless it was changed', () => {
    const body = { type: 'decimal', choices: [], read_only: false, indexed: false };
    expect(declarationOf(owned, owned)).toEqual(body);
    expect(declarationOf(unowned, unowned)).toEqual(body);
    expect(declarationOf({ ...unowned, others: 'keep' }, unowned)).toEqual(body);
    expect(declarationOf(NEW_DRAFT, NEW_DRAFT)).toEqual({ ...body, type: 'text' });
  });

  it('sends a changed owner with what happens to values of others', () => {
    const ownerIn = (changes: Partial<typeof owned>, first = owned) =>
      declarationOf({ ...first, ...changes }, first).owner;
    expect(ownerIn({ owner: 'crm' }, unowned)).toEqual({ source: 'crm', others: 'reject' });
    expect(ownerIn({ owner: 'crm' })).toEqual({ source: 'crm', others: 'keep' });
    expect(ownerIn({ others: 'reject' })).toEqual({ source: 'billing', others: 'reject' });
    expect(ownerIn({ owner: undefined })).toBeNull();
  });
});
