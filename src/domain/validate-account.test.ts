import { describe, expect, it } from 'vitest';
import { tenantRules } from './tenant.js';
import { validateAccount } from './validate-account.js';

const rules = tenantRules({
  accountIds: 'any',
  undeclaredFields: 'keep',
  attributes: [{ name: 'custom_Plan', type: 'choice', choices: ['Gold', 'Silver'], readOnly: false }],
  blockedPatterns: [],
});
const domainRules = { ...rules, accountIds: 'domain' } as const;

/** Attributes with their messages, in the order of the response. */
const answered = (record: unknown, by = rules) => [...(validateAccount(record, by).errors ?? [])];

describe('a valid record', () => {
  it('becomes a patch with every value in its stored form', () => {
    const record = {
      custom_External_Created_At: '2021-05-31 12:20:30+02:00',
      custom_External_Created_On: '2021-05-31',
      custom_Is_Valid: '0',
      custom_Plan: 'Gold',
      licenses: '12',
      name: ' Acme, Inc. ',
      parent_account_id: ' UMBRELLA ',
      account_id: ' Acme-1 ',
    };
    expect(validateAccount(record, rules)).toEqual({
      patch: {
        accountId: 'acme-1',
        fields: {
          parent_account_id: 'umbrella',
          name: ' Acme, Inc. ',
          custom_External_Created_At: '2021-05-31T10:20:30.000Z',
          custom_External_Created_On: '2021-05-31',
          custom_Is_Valid: false,
          custom_Plan: 'Gold',
          licenses: 12,
        },
      },
    });
  });

  it('may consist of its identifier alone', () => {
    expect(validateAccount({ account_id: 'a' }, rules)).toEqual({ patch: { accountId: 'a', fields: {} } });
  });

  it('clears every field for which it sends null', () => {
    const cleared = { parent_account_id: null, name: null, licenses: null, custom_Plan: null, extra: null };
    expect(validateAccount({ account_id: 'a', ...cleared }, rules)).toEqual({
      patch: { accountId: 'a', fields: cleared },
    });
  });

  it.each([
    ['an empty name', ''],
    ['a name of 191 emoji', '😀'.repeat(191)],
  ])('may have %s', (_, name) => {
    expect(validateAccount({ account_id: 'a', name }, rules)).toEqual({
      patch: { accountId: 'a', fields: { name } },
    });
  });
});

describe('every failure in the contract', () => {
  const tooLong = 'The name may not be greater than 191 characters.';
  const samePair = "account_id and parent_account_id can't be same.";
  it.each<[string, Record<string, unknown>, string, string]>([
    ['a missing identifier', { name: 'Acme' }, 'account_id', 'account_id does not exist.'],
    ['an empty identifier', { account_id: '' }, 'account_id', 'account_id does not exist.'],
    ['a long name', { account_id: 'A', name: 'x'.repeat(192) }, 'name', tooLong],
    ['a blocked identifier', { account_id: 'NULL' }, 'account_id', 'account_id blocked by system.'],
    [
      'an account as its own parent',
      { account_id: 'A', parent_account_id: 'A' },
      'parent_account_id',
      samePair,
    ],
    ...[
      ['licenses', 'many', 'integer'] as const,
      ['custom_Is_Valid', 'yes', 'boolean'] as const,
      ['custom_External_Created_On', '2021-02-30', 'date'] as const,
      ['custom_External_Created_At', '2021-05-31', 'datetime'] as const,
      ['custom_Plan', 'gold', 'choice'] as const,
    ].map(([field, value, type]): [string, Record<string, unknown>, string, string] => [
      `a wrong ${type}`,
      { account_id: ' Acme ', [field]: value },
      field,
      `Account Acme, ${field} has invalid ${type} value.`,
    ]),
  ])('%s', (_, record, attribute, message) => {
    const { account_id } = record;
    const isKnown = account_id !== undefined && account_id !== '';
    expect(validateAccount(record, rules)).toEqual({
      errors: new Map([[attribute, [message]]]),
      ...(isKnown && { accountId: String(account_id).trim().toLowerCase() }),
    });
  });

  it('an identifier that is not a domain, in the mode domain', () => {
    expect(validateAccount({ account_id: 'Acme' }, domainRules)).toEqual({
      errors: new Map([['account_id', ['account_id must be a valid domain name.']]]),
      accountId: 'acme',
    });
  });
});

describe('several failures', () => {
  it('are in order: the identifiers, the name, then the fields as sent', () => {
    const record = {
      licenses: 'x',
      name: 5,
      custom_Is_Valid: 'x',
      parent_account_id: true,
      custom_External_Created_On: 'x',
      account_id: 'Undefined',
    };
    expect(answered(record)).toEqual([
      ['account_id', ['account_id blocked by system.']],
      ['parent_account_id', ['The parent_account_id must be a string.']],
      ['name', ['The name must be a string.']],
      ['licenses', ['Account Undefined, licenses has invalid integer value.']],
      ['custom_Is_Valid', ['Account Undefined, custom_Is_Valid has invalid boolean value.']],
      [
        'custom_External_Created_On',
        ['Account Undefined, custom_External_Created_On has invalid date value.'],
      ],
    ]);
  });

  it('put the identifiers first even before a field whose name is a number', () => {
    expect(answered({ 7: 'x', account_id: '' }, { ...rules, undeclaredFields: 'reject' })).toEqual([
      ['account_id', ['account_id does not exist.']],
      ['7', ['Account , 7 is not a known field.']],
    ]);
  });

  it('show an empty text for a missing identifier', () => {
    expect(answered({ licenses: 'x' })).toEqual([
      ['account_id', ['account_id does not exist.']],
      ['licenses', ['Account , licenses has invalid integer value.']],
    ]);
  });

  it('of one field are in the order of the contract', () => {
    expect(answered({ account_id: 'null', name: `${'x'.repeat(191)}\0` }, domainRules)).toEqual([
      ['account_id', ['account_id must be a valid domain name.', 'account_id blocked by system.']],
      [
        'name',
        ['The name may not be greater than 191 characters.', 'Account null, name has invalid text value.'],
      ],
    ]);
  });
});
