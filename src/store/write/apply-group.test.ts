import { describe, expect, it } from 'vitest';
import type { Account, AccountPatch, WriteMode } from '../../domain/account.js';
import { noCounts, type UpsertRequest } from '../requests.js';
import { applyGroup, type StoredAccount } from './apply-group.js';

const request = (patches: readonly AccountPatch[], given: Partial<UpsertRequest> = {}): UpsertRequest => ({
  tenantId: 1,
  requestId: 'r',
  senderId: 'k',
  at: 2,
  bytes: 1,
  patches,
  ...given,
});

const stored = (
  accountId: string,
  fields: Account['fields'],
  given: Partial<Account> = {},
): StoredAccount => ({
  account: {
    accountId,
    fields,
    revision: 1,
    createdAt: 1,
    updatedAt: 1,
    archivedAt: null,
    deletedAt: null,
    ...given,
  },
  firstChange: 256,
  lastChange: { seq: 256, place: 0 },
});

/** Finds these accounts. */
const loading =
  (...accounts: readonly StoredAccount[]) =>
  (_tenantId: number, accountId: string) =>
    accounts.find(({ account }) => account.accountId === accountId);

describe('a group with many patches for one account', () => {
  it('copies the fields of the stored account once, and does not modify them', () => {
    let copies = 0;
    const stored = { a: 1, b: 2 };
    const fields = new Proxy(stored, {
      ownKeys: (target) => {
        copies += 1;
        return Reflect.ownKeys(target);
      },
    });
    const account = {
      accountId: 'x',
      fields,
      revision: 1,
      createdAt: 1,
      updatedAt: 1,
      archivedAt: null,
      deletedAt: null,
    };
    const before = { account, firstChange: 256, lastChange: { seq: 256, place: 0 } };
    const patches = [{ a: 1 }, { a: 3 }, { a: 3 }, { c: 4 }, { b: 2 }, { b: 5 }];
    const group = [request(patches.map((sent) => ({ accountId: 'x', fields: sent })))];
    const { history, ...applied } = applyGroup(group, () => before);
    expect(applied).toEqual({
      counts: [{ ...noCounts(), updated: 3, unchanged: 3 }],
      accounts: [
        {
          ...before,
          tenantId: 1,
          account: { ...account, fields: { a: 3, b: 5, c: 4 }, revision: 4, updatedAt: 2 },
          before: { ...before, account: { ...account, fields: { a: 1, b: 2 } } },
        },
      ],
    });
    expect(history).toEqual([
      {
        request: group[0],
        changes: [
          { revision: 2, changes: { a: [1, 3] } },
          { revision: 3, changes: { c: [null, 4] } },
          { revision: 4, changes: { b: [2, 5] } },
        ].map((change) => ({
          target: applied.accounts[0],
          accountId: 'x',
          kind: 'updated',
          isErased: false,
          wasArchived: false,
          ...change,
        })),
      },
    ]);
    // The comparison above reads the keys, too.
    copies = 0;
    applyGroup(group, () => before);
    expect(copies).toBe(1);
  });

  it('is applied in time proportional to the patches, not to the fields that are already there', () => {
    const count = 1_000;
    const patches = Array.from({ length: count }, (_, record) => ({
      accountId: 'x',
      fields: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${record}_${i}`, i])),
    }));
    const { counts, accounts } = applyGroup([request(patches)], () => undefined);
    expect(counts).toEqual([{ ...noCounts(), created: 1, updated: count - 1 }]);
    expect(Object.keys(accounts[0]?.account.fields ?? {})).toHaveLength(60 * count);
  });
});

describe('a group with fields that another source owns', () => {
  const rejecting = new Map([['a', 'reject']] as const);
  const keeping = new Map([['a', 'keep']] as const);

  it('stores nothing of a request of which one patch is refused, and names all that are', () => {
    const load = loading(stored('x', { a: 1 }), stored('y', { a: 1, b: 1 }));
    const refusing = request([
      { accountId: 'new', fields: { b: 1 } },
      { accountId: 'x', fields: { a: 2, b: 2 }, owned: rejecting },
      { accountId: 'y', fields: { a: 1, b: 2 }, owned: rejecting },
      { accountId: 'x', fields: { a: null }, owned: rejecting },
    ]);
    const other = request([{ accountId: 'x', fields: { b: 3 } }]);
    const { counts, accounts, history } = applyGroup([refusing, other], load);
    expect(counts).toEqual([
      {
        ...noCounts(),
        refused: [
          { index: 1, fields: ['a'] },
          { index: 3, fields: ['a'] },
        ],
      },
      { ...noCounts(), updated: 1 },
    ]);
    expect(accounts.map(({ account }) => [account.accountId, account.fields])).toEqual([
      ['x', { a: 1, b: 3 }],
    ]);
    expect(history.map(({ changes }) => changes.length)).toEqual([0, 1]);
  });

  it('stores the other patches of a request whose patches are independent', () => {
    const load = loading(stored('x', { a: 1 }));
    const patches = [
      { accountId: 'x', fields: { a: 2, b: 2 }, owned: rejecting },
      { accountId: 'x', fields: { a: 1, b: 3 }, owned: rejecting },
      { accountId: 'new', fields: { a: 1 }, owned: rejecting },
      { accountId: 'new', fields: { a: null }, owned: rejecting },
    ];
    const { counts, accounts } = applyGroup(
      [request(patches, { isIndependent: true, wantsRecords: true })],
      load,
    );
    expect(counts).toEqual([
      {
        ...noCounts(),
        created: 1,
        updated: 1,
        records: [
          { outcome: 'refused', changed: [], refused: ['a'] },
          { outcome: 'updated', changed: ['b'] },
          { outcome: 'refused', changed: [], refused: ['a'] },
          { outcome: 'created', changed: [] },
        ],
        refused: [
          { index: 0, fields: ['a'] },
          { index: 2, fields: ['a'] },
        ],
      },
    ]);
    expect(accounts.map(({ account }) => account.fields)).toEqual([{ a: 1, b: 3 }, {}]);
  });

  it('compares with what requests before it in the group have stored', () => {
    const owner = request([{ accountId: 'x', fields: { a: 2 } }]);
    const other = (a: number) => request([{ accountId: 'x', fields: { a }, owned: rejecting }]);
    const { counts } = applyGroup([other(1), owner, other(1), other(2)], loading(stored('x', { a: 1 })));
    expect(counts).toEqual([
      { ...noCounts(), unchanged: 1 },
      { ...noCounts(), updated: 1 },
      { ...noCounts(), refused: [{ index: 0, fields: ['a'] }] },
      { ...noCounts(), unchanged: 1 },
    ]);
  });

  it('counts kept values by field, and stores the rest', () => {
    const both = new Map([
      ['a', 'keep'],
      ['b', 'keep'],
    ] as const);
    const patches = [
      { accountId: 'x', fields: { a: 2, c: 2 }, owned: keeping },
      { accountId: 'x', fields: { a: null, b: 2 }, owned: both },
      { accountId: 'new', fields: { a: 1, b: null }, owned: both },
    ];
    const { counts, accounts, history } = applyGroup([request(patches)], loading(stored('x', { a: 1 })));
    expect(counts).toEqual([{ ...noCounts(), created: 1, updated: 1, unchanged: 1, kept: { a: 3, b: 1 } }]);
    expect(accounts.map(({ account }) => account.fields)).toEqual([{ a: 1, c: 2 }, {}]);
    expect(history[0]?.changes.map(({ changes }) => changes)).toEqual([{ c: [null, 2] }, {}]);
  });
});

describe('a group with a mode', () => {
  const archived = stored('archived', { a: 1 }, { archivedAt: 1 });
  const deleted = stored('deleted', {}, { deletedAt: 1 });
  const load = loading(stored('old', { a: 1 }), archived, deleted);
  const patches = ['old', 'new', 'archived', 'deleted', 'new'].map((accountId, a) => ({
    accountId,
    fields: { a: a + 1 },
  }));
  const outcomesIn = (mode: WriteMode | undefined) => {
    const { counts, accounts } = applyGroup([request(patches, { mode, wantsRecords: true })], load);
    return [
      counts[0]?.records?.map(({ outcome }) => outcome),
      counts[0]?.skipped,
      accounts.map(({ account }) => account.accountId),
    ];
  };

  it.each([
    [undefined, ['unchanged', 'created', 'restored', 'created', 'updated'], ['new', 'archived', 'deleted']],
    ['upsert', ['unchanged', 'created', 'restored', 'created', 'updated'], ['new', 'archived', 'deleted']],
    ['update-only', ['unchanged', 'skipped', 'restored', 'skipped', 'skipped'], ['archived']],
    ['create-only', ['skipped', 'created', 'skipped', 'created', 'skipped'], ['new', 'deleted']],
  ] as const)('%s has the outcomes %j', (mode, outcomes, changed) => {
    const skipped = outcomes.filter((outcome) => outcome === 'skipped').length;
    expect(outcomesIn(mode)).toEqual([outcomes, skipped, changed]);
  });

  it('refuses a field of another source also in a record that it would skip', () => {
    const owned = new Map([['a', 'reject']] as const);
    for (const [mode, accountId] of [
      ['update-only', 'new'],
      ['create-only', 'old'],
    ] as const) {
      const { counts } = applyGroup([request([{ accountId, fields: { a: 7 }, owned }], { mode })], load);
      expect(counts).toEqual([{ ...noCounts(), refused: [{ index: 0, fields: ['a'] }] }]);
    }
  });
});
