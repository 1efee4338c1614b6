import type { Account, Attribute, Json } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import {
  changedByBoth,
  controlOf,
  type EditedField,
  editOf,
  isChanged,
  newDraft,
  rebase,
  storedText,
  textOf,
  withText,
} from './account-draft';

const field = (name: string, type: Attribute['type'] = 'text'): EditedField => ({ name, type, choices: [] });

const NAME = field('name');
const PARENT = field('parent_account_id');
const NOTES = field('custom_Notes');
const SEATS = field('custom_Seats', 'integer');
const MRR = field('custom_Mrr', 'decimal');
const IS_VALID = field('custom_Is_Valid', 'boolean');
const SIGNED_ON = field('custom_Signed_On', 'date');
const CALLED_AT = field('custom_Called_At', 'datetime');
const TIER = field('custom_Tier', 'choice');
const ALL = [NAME, PARENT, NOTES, SEATS, MRR, IS_VALID, SIGNED_ON, CALLED_AT, TIER];

function account(fields: Record<string, Json>, given: Partial<Account> = {}): Account {
  return {
    account_id: 'acme',
    name: 'Acme',
    parent_account_id: 'group',
    fields,
    undeclared: [],
    revision: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    archived_at: null,
    ...given,
  };
}

const draftOf = (base: Account, ...entered: (readonly [EditedField, string])[]) =>
  entered.reduce((draft, [one, text]) => withText(draft, one, text), newDraft(base));

describe('an edit', () => {
  it.each([
    [NAME, 'Acme Inc.', { name: 'Acme Inc.' }],
    [NAME, '', { name: null }],
    [PARENT, ' ', { parent_account_id: null }],
    [NOTES, ' two\nlines ', { fields: { custom_Notes: ' two\nlines ' } }],
    [SEATS, '9007199254740993', { fields: { custom_Seats: '9007199254740993' } }],
    [MRR, '0.10', { fields: { custom_Mrr: '0.10' } }],
    [MRR, '12,5', { fields: { custom_Mrr: '12,5' } }],
    [IS_VALID, 'true', { fields: { custom_Is_Valid: true } }],
    [IS_VALID, 'false', { fields: { custom_Is_Valid: false } }],
    [SIGNED_ON, '2024-02-29', { fields: { custom_Signed_On: '2024-02-29' } }],
    [CALLED_AT, '2021-05-31T23:30', { fields: { custom_Called_At: '2021-05-31T23:30Z' } }],
    [TIER, 'gold', { fields: { custom_Tier: 'gold' } }],
  ])('has what was entered: %o %j', (one, text, edit) => {
    expect(editOf(draftOf(account({}), [one, text]), ALL)).toEqual(edit);
  });

  it.each([
    [NOTES, 'a text'],
    [SEATS, 5],
    [MRR, 0.1],
    [IS_VALID, false],
    [SIGNED_ON, '2021-05-31'],
    [CALLED_AT, '2021-05-31T23:30:00.000Z'],
    [TIER, 'gold'],
  ])('clears a field that was emptied, and has nothing if its text is entered again: %o %j', (one, value) => {
    const base = account({ [one.name]: value });
    expect(editOf(draftOf(base, [one, '']), ALL)).toEqual({ fields: { [one.name]: null } });
    expect(editOf(draftOf(base, [one, ''], [one, storedText(one, value)]), ALL)).toEqual({});
  });

  it('has nothing for a field without a value that is left empty', () => {
    expect(editOf(draftOf(account({}), [SEATS, ' ']), ALL)).toEqual({});
  });
});

describe('the text of a stored value', () => {
  it.each([
    ['2021-05-31T23:30:00.000Z', '2021-05-31T23:30'],
    ['2021-05-31T23:30:15.000Z', '2021-05-31T23:30:15'],
    ['2021-05-31T23:30:00.120Z', '2021-05-31T23:30:00.120'],
    ['0001-01-01T00:00:00.000Z', '0001-01-01T00:00'],
  ])('is a time in UTC, as short as in a browser: %s', (value, text) => {
    expect(controlOf(CALLED_AT, value)).toBe('datetime-local');
    expect(storedText(CALLED_AT, value)).toBe(text);
  });

  it.each([
    [CALLED_AT, 'last week'],
    [CALLED_AT, '2021-05-31T23:30:00+02:00'],
    [SIGNED_ON, '31.5.2021'],
    [SIGNED_ON, '0000-01-01'],
    [SIGNED_ON, 5],
  ])('is entered as a text if a picker would not show it: %o %j', (one, value) => {
    expect(controlOf(one, value)).toBe('line');
    expect(storedText(one, value)).toBe(String(value));
  });
});

describe('rebase', () => {
  const base = account({ custom_Seats: 5, custom_Tier: 'gold', custom_Notes: 'old' });
  const draft = draftOf(base, [SEATS, '7'], [TIER, 'silver']);

  it('keeps the changes, shows what others changed, and remembers what both changed', () => {
    const current = account(
      { custom_Seats: 6, custom_Tier: 'gold', custom_Notes: 'new' },
      { revision: 2, name: 'Acme Inc.' },
    );
    expect(changedByBoth(draft, current, ALL)).toEqual([SEATS]);
    const next = rebase(draft, current, ALL);
    expect([next.base, [...next.previous]]).toEqual([current, [['custom_Seats', 5]]]);
    expect(editOf(next, ALL)).toEqual({ fields: { custom_Seats: '7', custom_Tier: 'silver' } });
    expect([NAME, NOTES, SEATS, TIER].map((one) => textOf(next, one))).toEqual([
      'Acme Inc.',
      'new',
      '7',
      'silver',
    ]);
  });

  it('drops a change that others have made, too', () => {
    const current = account({ custom_Seats: 7, custom_Tier: 'gold' }, { revision: 2 });
    expect(changedByBoth(draft, current, ALL)).toEqual([]);
    const next = rebase(draft, current, ALL);
    expect([isChanged(next, SEATS), isChanged(next, TIER)]).toEqual([false, true]);
    expect(next.previous.size).toBe(0);
  });

  it('keeps marks of an earlier one until the field is not changed any more', () => {
    const once = rebase(draft, account({ custom_Seats: 6 }, { revision: 2 }), ALL);
    expect([...once.previous]).toEqual([
      ['custom_Seats', 5],
      ['custom_Tier', 'gold'],
    ]);
    const twice = rebase(
      withText(once, SEATS, undefined),
      account({ custom_Seats: 6 }, { revision: 3 }),
      ALL,
    );
    expect([...twice.previous]).toEqual([['custom_Tier', 'gold']]);
  });
});
