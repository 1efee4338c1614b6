import { describe, expect, it } from 'vitest';
import { noCounts } from '../requests.js';
import { applyGroup } from './apply-group.js';

const request = (patches: { accountId: string; fields: Record<string, number> }[]) => ({
  tenantId: 1,
  requestId: 'r',
  keyId: 'k',
  at: 2,
  bytes: 1,
  patches,
});

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
    expect(counts).toEqual([
      { created: 1, updated: count - 1, unchanged: 0, archived: 0, restored: 0, deleted: 0 },
    ]);
    expect(Object.keys(accounts[0]?.account.fields ?? {})).toHaveLength(60 * count);
  });
});
