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
  label: 'MRR',
  description: null,
  unit: '€',
  position: 10,
  group: null,
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

  it('sends the changed parts of the presentation, trimmed, and null for none', () => {
    const body = declarationOf(owned, owned);
    const changes = { label: ' Revenue ', description: ' ', unit: '', position: 0, group: 'Money' };
    expect(declarationOf({ ...owned, ...changes }, owned)).toEqual({
      ...body,
      label: 'Revenue',
      description: null,
      unit: null,
      position: 0,
      group: 'Money',
    });
    expect(declarationOf({ ...owned, position: '' }, owned)).toEqual({ ...body, position: null });
  });
});
