import { describe, expect, it } from 'vitest';
import { blockOf } from './blocked-ids.js';
import { FieldSuggestions } from './field-suggestions.js';
import { type AccountIdMode, type Attribute, canonicalFor, tenantRules } from './tenant.js';

const plan: Attribute = { name: 'custom_Plan', type: 'choice', choices: ['Gold'], readOnly: true };
const rulesFor = (accountIds: AccountIdMode, blockedPatterns: readonly string[]) =>
  tenantRules({ accountIds, undeclaredFields: 'reject', attributes: [plan], blockedPatterns });

describe('tenantRules', () => {
  it("joins the built-in attributes with the tenant's own", () => {
    expect(rulesFor('any', ['Test', '*.Example.com'])).toEqual({
      accountIds: 'any',
      undeclaredFields: 'reject',
      suggestions: new FieldSuggestions([
        'account_id',
        'parent_account_id',
        'name',
        'licenses',
        'custom_Is_Valid',
        'custom_External_Created_On',
        'custom_External_Created_At',
      ]),
      attributes: new Map<string, Attribute>([
        ['licenses', { name: 'licenses', type: 'integer', choices: [], readOnly: false }],
        ['custom_Is_Valid', { name: 'custom_Is_Valid', type: 'boolean', choices: [], readOnly: false }],
        [
          'custom_External_Created_On',
          { name: 'custom_External_Created_On', type: 'date', choices: [], readOnly: false },
        ],
        [
          'custom_External_Created_At',
          { name: 'custom_External_Created_At', type: 'datetime', choices: [], readOnly: false },
        ],
        ['custom_Plan', plan],
      ]),
      blocked: {
        exact: new Map([['test', 'Test']]),
        suffixes: new Map([['.example.com', '*.Example.com']]),
        longestSuffix: 12,
      },
    });
  });

  it.each<[AccountIdMode, string, string]>([
    ['any', 'Bücher.de', 'bücher.de'],
    ['domain', 'Bücher.de', 'xn--bcher-kva.de'],
    ['any', '*.Bücher.de', 'shop.bücher.de'],
    ['domain', '*.Bücher.de', 'shop.xn--bcher-kva.de'],
    ['domain', '*.co.uk', 'example.co.uk'],
    ['domain', '*.рф', 'xn--e1afmkfd.xn--p1ai'],
  ])('in the mode %s, lets the pattern %s block the stored identifier %s', (mode, pattern, id) => {
    expect(blockOf(id, rulesFor(mode, [pattern]).blocked)).toEqual({ pattern, list: 'tenant' });
  });
});

describe('canonicalFor', () => {
  it.each<[AccountIdMode, string, string]>([
    ['any', ' Bücher.DE ', 'bücher.de'],
    ['domain', ' Bücher.DE ', 'xn--bcher-kva.de'],
    ['domain', 'BU\u0308CHER.de', 'xn--bcher-kva.de'],
    ['domain', 'No Domain Ü', 'no domain ü'],
  ])('in the mode %s, turns %j into %s', (mode, sent, stored) => {
    expect(canonicalFor(mode, sent)).toBe(stored);
  });
});
