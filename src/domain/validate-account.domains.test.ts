import { describe, expect, it } from 'vitest';
import { tenantRules } from './tenant.js';
import { validateAccount } from './validate-account.js';

const domain = tenantRules({
  accountIds: 'domain',
  undeclaredFields: 'keep',
  attributes: [],
  blockedPatterns: ['*.Bücher.de', 'FAß.de'],
});

const idErrors = (...messages: string[]) => ({ errors: new Map([['account_id', messages]]) });

describe('in the mode domain', () => {
  it('an IDN is stored in its ASCII form, as account and as parent', () => {
    expect(validateAccount({ account_id: 'Bücher.de', parent_account_id: 'ПРИМЕР.рф' }, domain)).toEqual({
      patch: { accountId: 'xn--bcher-kva.de', fields: { parent_account_id: 'xn--e1afmkfd.xn--p1ai' } },
    });
  });

  it('a parent can be any text', () => {
    expect(validateAccount({ account_id: 'example.com', parent_account_id: 'Group Ü' }, domain)).toEqual({
      patch: { accountId: 'example.com', fields: { parent_account_id: 'group ü' } },
    });
  });

  it.each([['https://example.com'], ['example.com/'], ['com'], ['127.1'], [127]])(
    '%j is rejected',
    (sent) => {
      expect(validateAccount({ account_id: sent }, domain)).toEqual({
        ...idErrors('account_id must be a valid domain name.'),
        accountId: expect.any(String),
      });
    },
  );

  it.each([['Shop.Bücher.de'], ['shop.xn--bcher-kva.de'], ['Faß.de']])(
    '%s is blocked by its IDN pattern',
    (sent) => {
      expect(validateAccount({ account_id: sent }, domain)).toEqual({
        ...idErrors('account_id blocked by system.'),
        accountId: expect.any(String),
      });
    },
  );

  it('the limit of 191 characters holds for the ASCII form', () => {
    const sent = `${'ü'.repeat(50)}.${'ü'.repeat(50)}.${'ü'.repeat(50)}.${'a'.repeat(30)}.de`;
    expect(validateAccount({ account_id: sent }, domain)).toEqual(
      idErrors('The account_id may not be greater than 191 characters.'),
    );
  });

  it('a missing identifier has only that message', () => {
    expect(validateAccount({ account_id: ' ' }, domain)).toEqual(idErrors('account_id does not exist.'));
  });
});
