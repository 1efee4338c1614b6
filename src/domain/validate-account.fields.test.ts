import { describe, expect, it } from 'vitest';
import type { JsonValue } from './json.js';
import { type Attribute, tenantRules } from './tenant.js';
import { validateAccount } from './validate-account.js';

const attribute = (name: string, type: Attribute['type'], readOnly = false): Attribute => ({
  name,
  type,
  choices: [],
  readOnly,
});
const attributes = [
  attribute('custom_Planet', 'text'),
  attribute('custom_Plan', 'text'),
  attribute('custom_Rate', 'decimal'),
  attribute('custom_Score', 'integer', true),
];
const keep = tenantRules({ accountIds: 'any', undeclaredFields: 'keep', attributes, blockedPatterns: [] });
const reject = { ...keep, undeclaredFields: 'reject' } as const;

const patched = (fields: Record<string, JsonValue>) => ({ patch: { accountId: 'a', fields } });
const rejected = (field: string, message: string) => ({
  errors: new Map([[field, [message]]]),
  accountId: 'a',
});

describe('a declared field', () => {
  it.each([['custom_Plan', 12, 'text'] as const, ['custom_Rate', '1,5', 'decimal'] as const])(
    '%s rejects %j by the name of its type',
    (field, value, type) => {
      expect(validateAccount({ account_id: 'A', [field]: value }, keep)).toEqual(
        rejected(field, `Account A, ${field} has invalid ${type} value.`),
      );
    },
  );

  it.each(['created_at', 'updated_at', 'revision', 'custom_Score'])(
    '%s is read-only, null included',
    (field) => {
      const result = rejected(field, `Account A, ${field} is read-only.`);
      expect(validateAccount({ account_id: 'A', [field]: 1 }, keep)).toEqual(result);
      expect(validateAccount({ account_id: 'A', [field]: null }, reject)).toEqual(result);
    },
  );

  it.each([[12], [true], [['Acme']], [{}]])('a name of %j must be a string', (name) => {
    expect(validateAccount({ account_id: 'A', name }, keep)).toEqual(
      rejected('name', 'The name must be a string.'),
    );
  });

  it.each([['a\0'], ['\ud83d']])('a name with %j is invalid text', (name) => {
    expect(validateAccount({ account_id: 'A', name }, keep)).toEqual(
      rejected('name', 'Account A, name has invalid text value.'),
    );
  });
});

describe('an undeclared field in the mode keep', () => {
  it.each<[string, JsonValue]>([
    ['Licenses', 'not the declared one, names differ by case'],
    ['Created_At', 1],
    ['extra', { list: [1, -2.5, null, true, '😀'], empty: {}, nested: { 'any key': [[]] } }],
    ['constructor', 'a'],
    ['toString', 1],
    ['hasOwnProperty', null],
    ['', 'an empty name'],
    ['largest', 9007199254740991],
    ['small', 5e-324],
  ])('%j is kept as sent', (field, value) => {
    expect(validateAccount({ account_id: 'a', [field]: value }, keep)).toEqual(patched({ [field]: value }));
  });

  it.each<[string, JsonValue, string]>([
    ['a NUL', 'a\0', 'text'],
    ['a lone surrogate in a list', [['ok', '\ud83d']], 'text'],
    ['a NUL in a key', { a: { 'b\0': 1 } }, 'text'],
    ['a lone surrogate in a key', [{ '\ude00': null }], 'text'],
    ['an integer that has lost digits', 9007199254740992, 'integer'],
    ['a negative one inside', { a: [JSON.parse('-9007199254740993')] }, 'integer'],
    ['a number over the largest', JSON.parse('1e400'), 'decimal'],
    ['a number under the smallest inside', [JSON.parse('-1e400')], 'decimal'],
    ['only the first of several', { a: 1e20, b: '\0' }, 'integer'],
  ])('is rejected if it cannot be returned unchanged: %s', (_, value, kind) => {
    expect(validateAccount({ account_id: 'A', extra: value }, keep)).toEqual(
      rejected('extra', `Account A, extra has invalid ${kind} value.`),
    );
  });

  it('is rejected for a name that databases cannot store', () => {
    expect(validateAccount({ account_id: 'A', 'x\0': 1 }, keep)).toEqual(
      rejected('x\0', 'Account A, x\0 has invalid text value.'),
    );
  });
});

describe('an undeclared field in the mode reject', () => {
  it.each([
    ['nothing close', 'colour', ''],
    ['three mistakes, which are too many', 'lizzzses', ''],
    ['a name that every object inherits', 'constructor', ''],
    ['another case', 'Licenses', ' Did you mean licenses?'],
    ['two mistakes', 'licens', ' Did you mean licenses?'],
    ['a built-in attribute', 'custom_is_vald', ' Did you mean custom_Is_Valid?'],
    ['an identifier', 'accountid', ' Did you mean account_id?'],
    ['the parent', 'parentAccount_Id', ' Did you mean parent_account_id?'],
    ['the name', 'nam', ' Did you mean name?'],
    ['the closest of several', 'custom_Plans', ' Did you mean custom_Plan?'],
  ])('is an unknown field, with a suggestion for %s', (_, field, suggestion) => {
    expect(validateAccount({ account_id: 'A', [field]: 1 }, reject)).toEqual(
      rejected(field, `Account A, ${field} is not a known field.${suggestion}`),
    );
  });

  it('does not affect declared fields', () => {
    const fields = { parent_account_id: 'b', name: 'Acme', licenses: 1, custom_Plan: 'x', custom_Rate: 0.5 };
    expect(validateAccount({ account_id: 'a', ...fields }, reject)).toEqual(patched(fields));
  });
});
