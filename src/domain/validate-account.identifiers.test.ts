import { describe, expect, it } from 'vitest';
import { tenantRules } from './tenant.js';
import { validateAccount } from './validate-account.js';

const any = tenantRules({
  accountIds: 'any',
  undeclaredFields: 'keep',
  attributes: [],
  blockedPatterns: ['Trial', '*.test.example.com'],
});
const domain = { ...any, accountIds: 'domain' } as const;

const patchOf = (accountId: string, fields = {}) => ({ patch: { accountId, fields } });
const idErrors = (...messages: string[]) => ({ errors: new Map([['account_id', messages]]) });
const parentErrors = (accountId: string, message: string) => ({
  errors: new Map([['parent_account_id', [message]]]),
  accountId,
});

describe('account_id', () => {
  it.each([
    ['an integer', 1200, '1200'],
    ['zero', 0, '0'],
    ['capitals and white space', '\tACME ', 'acme'],
    ['a decomposed letter', 'CAFE\u0301', 'caf\u00e9'],
    ['191 emoji', '😀'.repeat(191), '😀'.repeat(191)],
    ['191 letters with an accent sent apart', 'e\u0301'.repeat(191), 'é'.repeat(191)],
  ])('may be %s', (_, sent, accountId) => {
    expect(validateAccount({ account_id: sent }, any)).toEqual(patchOf(accountId));
  });

  it.each([[undefined], [null], [''], [' \u00a0\t'], [1.5], [2 ** 53], [true], [['a']], [{ id: 'a' }]])(
    'does not exist if %j is sent',
    (sent) => {
      expect(validateAccount({ account_id: sent }, any)).toEqual(idErrors('account_id does not exist.'));
    },
  );

  it.each([[null], ['acme'], [7], [true], [['acme']], [[]], [undefined]])(
    'does not exist in the record %j',
    (record) => {
      expect(validateAccount(record, any)).toEqual(idErrors('account_id does not exist.'));
    },
  );

  it.each([
    ['192 letters', 'a'.repeat(192)],
    ['192 emoji', '😀'.repeat(192)],
    ['what grows over the limit in lower case', 'İ'.repeat(96)],
  ])('may not be %s', (_, sent) => {
    expect(validateAccount({ account_id: sent }, any)).toEqual(
      idErrors('The account_id may not be greater than 191 characters.'),
    );
  });

  it.each([['a\0b'], ['a\ud83d']])('cannot contain what databases cannot store: %j', (sent) => {
    expect(validateAccount({ account_id: sent }, any)).toEqual(
      idErrors(`Account ${sent}, account_id has invalid text value.`),
    );
  });

  it.each([
    ...[
      'null',
      'Undefined',
      'NONE',
      ' NaN ',
      'N/A',
      '[object Object]',
      '00000000-0000-0000-0000-000000000000',
    ],
    ...['TRIAL', 'Shop.Test.Example.com'],
  ])('is blocked if %j is sent', (sent) => {
    expect(validateAccount({ account_id: sent }, any)).toEqual({
      ...idErrors('account_id blocked by system.'),
      // An account that was stored before may have it.
      accountId: sent.trim().toLowerCase(),
    });
  });

  it('is echoed in messages as it was sent, trimmed', () => {
    expect(validateAccount({ account_id: ' ACME É ', licenses: 'x' }, any)).toEqual({
      errors: new Map([['licenses', ['Account ACME É, licenses has invalid integer value.']]]),
      accountId: 'acme é',
    });
  });

  it('is echoed with 191 characters at most', () => {
    expect(validateAccount({ account_id: `A${'😀'.repeat(200_000)}`, licenses: 'x' }, any)).toEqual({
      errors: new Map([
        ['account_id', ['The account_id may not be greater than 191 characters.']],
        ['licenses', [`Account A${'😀'.repeat(190)}, licenses has invalid integer value.`]],
      ]),
    });
  });
});

describe('parent_account_id', () => {
  it.each([
    ['canonical', ' UMBRELLA ', 'umbrella'],
    ['an integer as its digits', 7, '7'],
    ['null as cleared', null, null],
    ['an empty text as cleared', '', null],
    ['white space as cleared', ' \t', null],
    ['even what would be blocked as an account_id', 'None', 'none'],
  ])('is stored: %s', (_, sent, stored) => {
    expect(validateAccount({ account_id: 'a', parent_account_id: sent }, any)).toEqual(
      patchOf('a', { parent_account_id: stored }),
    );
  });

  it.each([[true], [1.5], [2 ** 53], [['b']], [{ id: 'b' }]])('must be a string if %j is sent', (sent) => {
    expect(validateAccount({ account_id: 'a', parent_account_id: sent }, any)).toEqual(
      parentErrors('a', 'The parent_account_id must be a string.'),
    );
  });

  it.each([
    ['too long', 'b'.repeat(192), 'The parent_account_id may not be greater than 191 characters.'],
    ['with a NUL', 'b\0', 'Account A, parent_account_id has invalid text value.'],
    ['with a lone surrogate', '\ude00', 'Account A, parent_account_id has invalid text value.'],
  ])('is rejected %s', (_, sent, message) => {
    expect(validateAccount({ account_id: 'A', parent_account_id: sent }, any)).toEqual(
      parentErrors('a', message),
    );
  });

  it.each([
    ['in another case', any, 'acme', ' ACME ', 'acme'],
    ['in another normalisation form', any, 'caf\u00e9', 'CAFE\u0301', 'caf\u00e9'],
    ['as a number', any, '12', 12, '12'],
    ['as an IDN and its ASCII form', domain, 'Bücher.de', 'XN--BCHER-KVA.de', 'xn--bcher-kva.de'],
  ])('is not the account itself %s', (_, rules, id, parent, stored) => {
    const message = "account_id and parent_account_id can't be same.";
    expect(validateAccount({ account_id: id, parent_account_id: parent }, rules)).toEqual(
      parentErrors(stored, message),
    );
    expect(validateAccount({ account_id: parent, parent_account_id: id }, rules)).toEqual(
      parentErrors(stored, message),
    );
  });
});
