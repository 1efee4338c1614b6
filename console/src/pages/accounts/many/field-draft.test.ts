import type { Attribute } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import type { EnteredField } from '../../../components/value-control';
import { editOf, NEW_DRAFT, valuePath } from './field-draft';

const field = (name: string, type: Attribute['type']): EnteredField => ({ name, type, choices: [] });

describe('the edit of a field', () => {
  it.each([
    [field('name', 'text'), 'Acme Inc.', { name: 'Acme Inc.' }],
    [field('parent_account_id', 'text'), 'acme', { parent_account_id: 'acme' }],
    [field('custom_Notes', 'text'), ' two\nlines ', { fields: { custom_Notes: ' two\nlines ' } }],
    [field('licenses', 'integer'), '9007199254740993', { fields: { licenses: '9007199254740993' } }],
    [field('custom_Is_Valid', 'boolean'), 'false', { fields: { custom_Is_Valid: false } }],
    [
      field('custom_Called_At', 'datetime'),
      '2021-05-31T23:30',
      { fields: { custom_Called_At: '2021-05-31T23:30Z' } },
    ],
    [field('licenses', 'integer'), ' ', undefined],
  ])('has the value that was entered: %o %j', (one, text, edit) => {
    expect(editOf({ ...NEW_DRAFT, text }, one)).toEqual(edit);
  });

  it('clears the value only if this is chosen', () => {
    const notes = field('custom_Notes', 'text');
    expect(editOf({ ...NEW_DRAFT, text: 'old', isCleared: true }, notes)).toEqual({
      fields: { custom_Notes: null },
    });
    expect(editOf({ ...NEW_DRAFT, isCleared: true }, field('name', 'text'))).toEqual({ name: null });
  });
});

describe('a field', () => {
  it('has its value in the body at this path', () => {
    expect(['name', 'custom_a'].map(valuePath)).toEqual(['set/name', 'set/fields/custom_a']);
  });
});
