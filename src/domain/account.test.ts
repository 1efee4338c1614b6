import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Account,
  type AccountPatch,
  applyPatch,
  type EditRules,
  fitsMode,
  refusedFields,
} from './account.js';
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

describe('applyPatch with fields that another source owns', () => {
  const owned = new Map([
    ['name', 'keep'],
    ['licenses', 'keep'],
  ] as const);

  it('keeps values that differ, and stores the rest', () => {
    const sent = { name: 'Other', licenses: 3, extra: null };
    expect(applyPatch(acme, { ...patch(sent), owned }, 300)).toEqual({
      outcome: 'updated',
      account: { ...acme, fields: { name: 'Acme', licenses: 3 }, revision: 5, updatedAt: 300 },
      changes: { extra: [{ a: [1, null], b: 2 }, null] },
      kept: ['name'],
    });
    expect(acme.fields.extra).toEqual({ a: [1, null], b: 2 });
  });

  it('changes nothing if it only has such values', () => {
    const result = applyPatch(acme, { ...patch({ name: null, licenses: 4 }), owned }, 300);
    expect(result).toEqual({ outcome: 'unchanged', account: acme, changes: {}, kept: ['name', 'licenses'] });
    expect(result.account).toBe(acme);
  });

  it('creates an account without them, also one that was deleted', () => {
    for (const current of [undefined, { ...acme, fields: {}, deletedAt: 250 }]) {
      const { outcome, account, changes, kept } = applyPatch(
        current,
        { ...patch({ name: 'Acme', licenses: null, extra: 1 }), owned },
        300,
      );
      expect([outcome, account.fields, changes, kept]).toEqual([
        'created',
        { extra: 1 },
        { extra: [null, 1] },
        ['name'],
      ]);
    }
  });

  it('restores an archived account with the values that it had', () => {
    const { outcome, account, changes, kept } = applyPatch(
      { ...acme, archivedAt: 250 },
      { ...patch({ name: 'Other' }), owned },
      300,
    );
    expect([outcome, account.fields, changes, kept]).toEqual(['restored', acme.fields, {}, ['name']]);
  });
});

describe('applyPatch with an edit', () => {
  const edit = (rules: EditRules, fields: JsonObject = {}, current: Account | undefined = acme) =>
    applyPatch(current, { ...patch(fields), edit: rules }, 300);
  const changed = [{ field: null, reason: 'changed', now: null }];

  it('changes fields at the wanted revision', () => {
    expect(edit({ revision: acme.revision }, { name: 'Other', licenses: 3, extra: null })).toEqual({
      outcome: 'updated',
      account: {
        ...acme,
        fields: { name: 'Other', licenses: 3 },
        revision: acme.revision + 1,
        updatedAt: 300,
      },
      changes: { name: ['Acme', 'Other'], extra: [{ a: [1, null], b: 2 }, null] },
    });
    expect(acme.fields.name).toBe('Acme');
  });

  it('changes nothing at another revision, even if only a part of it would be a conflict', () => {
    for (const revision of [acme.revision - 1, acme.revision + 1]) {
      for (const archive of [undefined, true, false]) {
        const result = edit({ revision, ...(archive !== undefined && { archive }) }, { name: 'Other' });
        expect(result).toEqual({ outcome: 'unchanged', account: acme, changes: {}, conflicts: changed });
      }
    }
  });

  it('erases an account at the wanted revision, and reports one that is deleted', () => {
    const erase = (current: Account | undefined, rules?: EditRules) =>
      applyPatch(current, { ...patch({}), erase: true, ...(rules && { edit: rules }) }, 300);
    expect(erase(acme, { revision: acme.revision }).outcome).toBe('deleted');
    expect(erase(acme, { revision: acme.revision + 1 })).toMatchObject({
      outcome: 'unchanged',
      conflicts: changed,
    });
    const deleted = [{ field: null, reason: 'deleted', now: null }];
    for (const current of [undefined, { ...acme, deletedAt: 250 }]) {
      expect(erase(current, {})).toMatchObject({ outcome: 'unchanged', conflicts: deleted });
      expect(erase(current)).not.toHaveProperty('conflicts');
    }
  });

  it('keeps values of other sources', () => {
    const owned = new Map([['name', 'keep']] as const);
    const result = applyPatch(acme, { ...patch({ name: 'Other', licenses: 4 }), owned, edit: {} }, 300);
    expect(result).toMatchObject({ outcome: 'updated', changes: { licenses: [3, 4] }, kept: ['name'] });
    expect(applyPatch(acme, { ...patch({ name: 'Acme' }), owned, edit: {} }, 300)).toEqual({
      outcome: 'unchanged',
      account: acme,
      changes: {},
    });
  });

  it('leaves an archived account in the archive, unless it restores it', () => {
    const archived = { ...acme, archivedAt: 250 };
    expect(edit({}, { licenses: 4 }, archived)).toMatchObject({
      outcome: 'updated',
      account: { archivedAt: 250, revision: acme.revision + 1 },
    });
    expect(edit({ archive: false }, { licenses: 4 }, archived)).toMatchObject({
      outcome: 'restored',
      account: { archivedAt: null, revision: acme.revision + 1, fields: { licenses: 4 } },
    });
    expect(edit({ archive: true, revision: acme.revision }, { licenses: 4 })).toMatchObject({
      outcome: 'archived',
      account: { archivedAt: 300, revision: acme.revision + 1, fields: { licenses: 4 } },
    });
  });
});

describe('refusedFields', () => {
  const owned = new Map([
    ['name', 'reject'],
    ['licenses', 'keep'],
    ['extra', 'reject'],
  ] as const);
  const deleted = { ...acme, deletedAt: 250 };
  const archived = { ...acme, archivedAt: 250 };

  it.each<[string, Account | undefined, JsonObject, string[]]>([
    ['equal values', acme, { name: 'Acme', extra: { b: 2, a: [1, null] } }, []],
    ['different values', acme, { name: 'Other', extra: { b: 2 } }, ['name', 'extra']],
    ['null', acme, { name: null }, ['name']],
    ['fields that keep their value', acme, { licenses: 4 }, []],
    ['other fields', acme, { other: 4 }, []],
    ['null for a new account', undefined, { name: null }, []],
    ['a value for a new account', undefined, { name: 'Acme' }, ['name']],
    ['the value that a deleted account had', deleted, { name: 'Acme' }, ['name']],
    ['null for a deleted account', deleted, { name: null }, []],
    ['the value of an archived account', archived, { name: 'Acme' }, []],
  ])('of %s', (_what, current, fields, expected) => {
    expect(refusedFields(current, { ...patch(fields), owned })).toEqual(expected);
    expect(refusedFields(current, patch(fields))).toEqual([]);
  });
});

describe('fitsMode', () => {
  it.each([
    ['an absent account', undefined, { upsert: true, 'update-only': false, 'create-only': true }],
    ['a stored account', acme, { upsert: true, 'update-only': true, 'create-only': false }],
    [
      'an archived account',
      { ...acme, archivedAt: 250 },
      { upsert: true, 'update-only': true, 'create-only': false },
    ],
    [
      'a deleted account',
      { ...acme, deletedAt: 250 },
      { upsert: true, 'update-only': false, 'create-only': true },
    ],
  ] as const)('of %s', (_what, current, expected) => {
    for (const mode of ['upsert', 'update-only', 'create-only'] as const) {
      expect([mode, fitsMode(mode, current)]).toEqual([mode, expected[mode]]);
    }
  });
});
