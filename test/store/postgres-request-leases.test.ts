import { describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { freshPostgres, urlForTest } from '../support/databases.js';
import { queryOnce } from '../support/postgres/postgres-server.js';

/** All leases that a store gets until the limit is used up. */
async function exhaust(store: Store, keyId: string, minute: number, limit: number): Promise<number[]> {
  const grants: number[] = [];
  for (;;) {
    const { granted, remaining } = await store.leaseRequests(keyId, minute, limit);
    grants.push(granted);
    if (remaining === 0) return grants;
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('requests leased on PostgreSQL', () => {
  it.each([1, 9, 600, 1_000_000])(
    'add up to exactly the limit over four concurrent stores: %i',
    async (limit) => {
      const database = await urlForTest(freshPostgres);
      const stores = await Promise.all(Array.from({ length: 4 }, () => openStore({ database })));
      const grants = await Promise.all(
        // Several concurrent leases in each store, too.
        [...stores, ...stores].map((store) => exhaust(store, 'k', 5, limit)),
      );
      expect(sum(grants.flat())).toBe(limit);
      expect(await stores[0]?.leaseRequests('k', 5, limit)).toEqual({ granted: 0, remaining: 0 });
      await Promise.all(stores.map((store) => store.close()));
    },
  );

  it('are a tenth of the remaining requests each, for each key and minute', async () => {
    const database = await urlForTest(freshPostgres);
    const store = await openStore({ database });
    expect(await store.leaseRequests('k', 5, 100)).toEqual({ granted: 10, remaining: 90 });
    expect(await store.leaseRequests('k', 5, 100)).toEqual({ granted: 9, remaining: 81 });
    expect(await store.leaseRequests('other', 5, 100)).toEqual({ granted: 10, remaining: 90 });
    expect(await store.leaseRequests('k', 6, 100)).toEqual({ granted: 10, remaining: 90 });
    await store.close();
  });

  it('are deleted after some minutes, also if the clock is set back', async () => {
    const database = await urlForTest(freshPostgres);
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore({ database })));
    for (const minute of [1_000, 9_999, 1_009, 1_010, 1_019]) {
      await Promise.all(stores.map((store) => store.leaseRequests('k', minute, 100)));
    }
    expect(await queryOnce(database, 'select minute::int from rate_limit order by minute')).toEqual([
      { minute: 1_009 },
      { minute: 1_010 },
      { minute: 1_019 },
      { minute: 9_999 },
    ]);
    await Promise.all(stores.map((store) => store.close()));
  });
});
