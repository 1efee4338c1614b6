import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Account, type AccountPatch, applyPatch } from './account.js';
import type { JsonObject, JsonValue } from './json.js';

const patch = (fields: JsonObject): AccountPatch => ({ accountId: 'acme', fields });
const acme: Account = {
  accountId: 'acme',
  fields: { name: 'Acme', licenses: 3, extra: { a: [1, null], b: 2 } },
  revision: 4,
  createdAt: 100,
  updatedAt: 200,
  archivedAt: null,
  deletedAt: null,
};

describe('applyPatch', () => {
  it('creates an account that is new, without the fields the patch clears', () => {
    expect(applyPatch(undefined, patch({ name: 'Acme', licenses: null }), 50)).toEqual({
      outcome: 'created',
      account: {
        accountId: 'acme',
        fields: { name: 'Acme' },
        revision: 1,
        createdAt: 50,
        updatedAt: 50,
        archivedAt: null,
        deletedAt: null,
      },
      changes: { name: [null, 'Acme'] },
    });
  });

  it('creates an account from an identifier alone', () => {
    expect(applyPatch(undefined, patch({}), 50)).toEqual({
      outcome: 'created',
      account: {
        accountId: 'acme',
        fields: {},
        revision: 1,
        createdAt: 50,
        updatedAt: 50,
        archivedAt: null,
        deletedAt: null,
      },
      changes: {},
    });
  });

  it('replaces what is sent, clears what is null, adds what is new and keeps the rest', () => {
    const sent = { licenses: 5, extra: null, parent_account_id: 'umbrella' };
    expect(applyPatch(acme, patch(sent), 300)).toEqual({
      outcome: 'updated',
      account: {
        accountId: 'acme',
        fields: { name: 'Acme', licenses: 5, parent_account_id: 'umbrella' },
        revision: 5,
        createdAt: 100,
        updatedAt: 300,
        archivedAt: null,
        deletedAt: null,
      },
      changes: {
        licenses: [3, 5],
        extra: [{ a: [1, null], b: 2 }, null],
        parent_account_id: [null, 'umbrella'],
      },
    });
  });

  it('replaces an object as a whole', () => {
    const { account, changes } = applyPatch(acme, patch({ extra: { b: 2 } }), 300);
    expect(account.fields).toEqual({ name: 'Acme', licenses: 3, extra: { b: 2 } });
    expect(changes).toEqual({ extra: [{ a: [1, null], b: 2 }, { b: 2 }] });
  });

  it.each<[string, JsonObject]>([
    ['nothing is sent', {}],
    ['the same values are sent', { name: 'Acme', licenses: 3 }],
    ['an object is sent with its keys in another order', { extra: { b: 2, a: [1, null] } }],
    ['null is sent for an absent field', { parent_account_id: null }],
    ['null is sent for an absent field that every object inherits', { constructor: null }],
  ])('does not change the account, its revision or its times when %s', (_, fields) => {
    expect(applyPatch(acme, patch(fields), 300)).toEqual({
      outcome: 'unchanged',
      account: acme,
      changes: {},
    });
  });

  it.each([[false], [0], [''], [[]], [{}]])('stores %j, which is not null', (value) => {
    const { outcome, changes } = applyPatch(acme, patch({ custom_X: value }), 300);
    expect({ outcome, changes }).toEqual({ outcome: 'updated', changes: { custom_X: [null, value] } });
  });

  it('does not modify the given account', () => {
    const before = structuredClone(acme);
    applyPatch(acme, patch({ name: null, licenses: 9 }), 300);
    expect(acme).toEqual(before);
  });
});

const fieldName = fc.constantFrom('name', 'custom_A', 'constructor', 'toString', 'hasOwnProperty', 'valueOf');
const fieldValue = fc.oneof(
  fc.constantFrom(null, 0, 1, 'a'),
  fc.jsonValue().map((value): JsonValue => JSON.parse(JSON.stringify(value))),
);
const anyFields = fc.dictionary(fieldName, fieldValue, { noNullPrototype: true });
const anyAccount = fc.option(
  anyFields.map((fields) => applyPatch(undefined, patch(fields), 1).account),
  { nil: undefined },
);

/** The result of a sequence of patches, computed in the simplest way. */
function merged(old: JsonObject, sent: JsonObject): JsonObject {
  const both = new Map([...Object.entries(old), ...Object.entries(sent)]);
  return Object.fromEntries([...both].filter(([, value]) => value !== null));
}

describe('any patch', () => {
  it('is idempotent', () => {
    fc.assert(
      fc.property(anyAccount, anyFields, (account, fields) => {
        const first = applyPatch(account, patch(fields), 2);
        const second = applyPatch(first.account, patch(fields), 3);
        expect(second).toEqual({ outcome: 'unchanged', account: first.account, changes: {} });
      }),
    );
  });

  it('lists changes that lead from the old fields to the new ones', () => {
    fc.assert(
      fc.property(anyAccount, anyFields, (account, fields) => {
        const old = account?.fields ?? {};
        const result = applyPatch(account, patch(fields), 2);
        const steps = Object.entries(result.changes);
        const before = Object.fromEntries(steps.map(([name, [from]]) => [name, from]));
        const after = Object.fromEntries(steps.map(([name, [, to]]) => [name, to]));
        expect(merged(old, after)).toEqual(result.account.fields);
        expect(merged(result.account.fields, before)).toEqual(old);
      }),
    );
  });

  it('merges with others, with one revision for each patch that changed something', () => {
    fc.assert(
      fc.property(fc.array(anyFields, { minLength: 1, maxLength: 8 }), (patches) => {
        let account: Account | undefined;
        let model: JsonObject = {};
        let written = 0;
        for (const [at, fields] of patches.entries()) {
          const result = applyPatch(account, patch(fields), at);
          if (result.outcome !== 'unchanged') written += 1;
          account = result.account;
          model = merged(model, fields);
        }
        expect({ fields: account?.fields, revision: account?.revision }).toEqual({
          fields: model,
          revision: written,
        });
      }),
    );
  });
});
