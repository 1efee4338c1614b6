import { describe, expect, it } from 'vitest';
import { type Account, applyPatch, type FieldChanges } from './account.js';
import { NetChange } from './undo.js';

type Change = Parameters<NetChange['add']>[0];

const updated = (changes: FieldChanges): Change => ({ kind: 'updated', changes });

/** From the newest to the oldest. */
const net = (...changes: readonly Change[]) => {
  const sum = new NetChange();
  for (const change of changes) sum.add(change);
  return sum;
};

describe('the patch that takes changes back', () => {
  it('returns fields to their values before, if they still have those that were left', () => {
    const sum = net(updated({ a: [2, 3] }), updated({ a: [1, 2], b: [null, true] }));
    expect(sum.patch('x', 7, false)).toEqual({
      accountId: 'x',
      fields: { a: 1, b: null },
      edit: { expected: { a: 3, b: true } },
    });
    expect(sum.patch('x', 7, true)).toEqual({ accountId: 'x', fields: { a: 1, b: null }, edit: {} });
    expect(sum.valuesOf('a')).toEqual([1, 3]);
  });

  it('returns a field to the value of others that the changes have overwritten', () => {
    expect(net(updated({ a: [9, 3] }), updated({ a: [1, 2] })).patch('x', 7, false)).toEqual({
      accountId: 'x',
      fields: { a: 9 },
      edit: { expected: { a: 3 } },
    });
  });

  it('leaves out fields that have not changed in all, and is none if nothing has', () => {
    expect(net(updated({ a: [2, 1] }), updated({ a: [1, 2] })).patch('x', 7, false)).toBeUndefined();
  });

  it.each<readonly [string, readonly Change[], object | undefined]>([
    [
      'archives a created account, and leaves its fields',
      [{ kind: 'created', changes: { a: [null, 1] } }],
      { archive: true, archiveAtRevision: 7 },
    ],
    [
      'archives a restored account',
      [{ kind: 'restored', changes: {} }],
      { archive: true, archiveAtRevision: 7 },
    ],
    ['restores an archived account', [{ kind: 'archived', changes: {} }], { archive: false }],
    [
      'leaves an account as it is that was archived and restored',
      [
        { kind: 'restored', changes: {} },
        { kind: 'archived', changes: {} },
      ],
      undefined,
    ],
    [
      'leaves an account as it is that was created and archived',
      [
        { kind: 'archived', changes: {} },
        { kind: 'created', changes: {} },
      ],
      undefined,
    ],
  ])('%s', (_what, changes, undo) => {
    const patch = undo && { accountId: 'x', fields: {}, edit: { expected: {}, ...undo } };
    expect(net(...changes).patch('x', 7, false)).toEqual(patch);
  });
});

describe('a patch that takes changes back', () => {
  const account: Account = {
    accountId: 'x',
    fields: { a: 3, b: true },
    revision: 7,
    createdAt: 1,
    updatedAt: 2,
    archivedAt: null,
    deletedAt: null,
  };
  const undo = (current: Account | undefined, rules: object, fields = {}) =>
    applyPatch(current, { accountId: 'x', fields, edit: rules }, 50);

  it('changes only fields that have the expected values', () => {
    expect(undo(account, { expected: { a: 3, b: false, c: 1 } }, { a: 1, b: null, c: null })).toEqual({
      outcome: 'updated',
      account: { ...account, fields: { a: 1, b: true }, revision: 8, updatedAt: 50 },
      changes: { a: [3, 1] },
      conflicts: [{ field: 'b', reason: 'changed', now: true }],
    });
  });

  it('archives at the expected revision only, and restores', () => {
    expect(undo(account, { archive: true, archiveAtRevision: 7 })).toMatchObject({
      outcome: 'archived',
      account: { archivedAt: 50, revision: 8, fields: account.fields },
    });
    expect(undo(account, { archive: true, archiveAtRevision: 6 })).toMatchObject({
      outcome: 'unchanged',
      account,
      conflicts: [{ field: null, reason: 'changed', now: null }],
    });
    const archived = { ...account, archivedAt: 40 };
    expect(undo(archived, { archive: true, archiveAtRevision: 6 })).toEqual({
      outcome: 'unchanged',
      account: archived,
      changes: {},
    });
    expect(undo(archived, { archive: false })).toMatchObject({
      outcome: 'restored',
      account: { archivedAt: null },
    });
    expect(undo(archived, { expected: { a: 3 } }, { a: 1 })).toMatchObject({
      outcome: 'updated',
      account: { archivedAt: 40 },
    });
  });

  it('creates no account', () => {
    const conflicts = [{ field: null, reason: 'deleted', now: null }];
    expect(undo(undefined, { archive: true })).toMatchObject({ outcome: 'unchanged', conflicts });
    expect(undo({ ...account, deletedAt: 9 }, {}, { a: 1 })).toMatchObject({
      outcome: 'unchanged',
      conflicts,
    });
  });

  it('is not needed to restore an account: any other patch does, even one without changes', () => {
    const archived = { ...account, archivedAt: 40 };
    const result = applyPatch(archived, { accountId: 'x', fields: { a: 3 } }, 50);
    expect(result).toEqual({
      outcome: 'restored',
      account: { ...account, revision: 8, updatedAt: 50 },
      changes: {},
    });
  });
});
