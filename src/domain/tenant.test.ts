import { describe, expect, it } from 'vitest';
import { blockOf } from './blocked-ids.js';
import { FieldSuggestions } from './field-suggestions.js';
import {
  type AccountIdMode,
  type Attribute,
  builtIn,
  builtInProblem,
  canonicalFor,
  isBuiltIn,
  tenantRules,
} from './tenant.js';

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
      owners: new Map(),
    });
  });

  it('knows the owners of all fields, and no attributes for fields that can only be owned', () => {
    const owner = { source: 'billing', others: 'keep' } as const;
    const text = { type: 'text', choices: [], readOnly: false } as const;
    const { owners, attributes, suggestions } = tenantRules({
      accountIds: 'any',
      undeclaredFields: 'reject',
      attributes: [
        { ...text, name: 'name', owner },
        { ...text, name: 'parent_account_id' },
        { ...text, name: 'licenses', type: 'integer', owner },
        { ...text, name: 'custom_Tier', owner: { source: 'crm', others: 'reject' } },
        plan,
      ],
      blockedPatterns: [],
    });
    expect(owners).toEqual(
      new Map([
        ['name', owner],
        ['licenses', owner],
        ['custom_Tier', { source: 'crm', others: 'reject' }],
      ]),
    );
    expect([...attributes.keys()]).toEqual([
      'licenses',
      'custom_Is_Valid',
      'custom_External_Created_On',
      'custom_External_Created_At',
      'custom_Tier',
      'custom_Plan',
    ]);
    expect(suggestions).toEqual(
      new FieldSuggestions([
        'account_id',
        'parent_account_id',
        'name',
        'licenses',
        'custom_Is_Valid',
        'custom_External_Created_On',
        'custom_External_Created_At',
        'custom_Tier',
      ]),
    );
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

describe('a built-in field', () => {
  it.each([
    ['licenses', 'integer'],
    ['custom_Is_Valid', 'boolean'],
    ['name', 'text'],
    ['parent_account_id', 'text'],
  ] as const)('is %s, whose type %s cannot be changed', (name, type) => {
    expect([isBuiltIn(name), builtIn(name)]).toEqual([true, { name, type, choices: [], readOnly: false }]);
    expect(builtInProblem(name, type, false)).toBeUndefined();
    expect(builtInProblem(name, 'date', false)).toBe(`${name} is built in; its type cannot be changed.`);
    expect(builtInProblem(name, type, true)).toBe(`${name} is built in; it cannot be read-only.`);
  });

  it.each(['account_id', 'Name', 'custom_Tier', 'constructor'])('is not %s', (name) => {
    expect([isBuiltIn(name), builtIn(name)]).toEqual([false, undefined]);
  });
});
