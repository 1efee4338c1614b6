import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FeedEntry } from '../../dist/store/changes/change-feed.js';
import { copyDatabase } from '../../dist/store/maintenance/copy-database.js';
import { openCopyEndpoint } from '../../dist/store/maintenance/open-copy-endpoint.js';
import { openStore } from '../../dist/store/open-store.js';
import { BEGINNING, type Position } from '../../dist/store/schema/position.js';
import type { Store } from '../../dist/store/store.js';
import { createTenant } from '../store/store-contract.js';
import { type Database, freshPostgres, freshSqlite } from '../support/databases.js';
import { runStatements } from '../support/released-database.js';

describe('cursors of the change feed', () => {
  let postgres: Database;
  let sqlites: Database[];
  beforeAll(async () => {
    postgres = await freshPostgres();
    sqlites = await Promise.all([freshSqlite(), freshSqlite(), freshSqlite()]);
  }, 60_000);
  afterAll(async () => {
    for (const database of [postgres, ...sqlites]) await database.remove();
  });

  const write = async (store: Store, ...ids: string[]) => {
    for (const accountId of ids) {
      const fields = { custom_Tier: `gold ${Math.random()}` };
      const request = { tenantId: 1, requestId: 'r', senderId: 'k', at: 1, bytes: 1 };
      await store.upsert({ ...request, patches: [{ accountId, fields }] });
    }
  };
  const names = (entries: readonly FeedEntry[]) =>
    entries.map((entry) => `${entry.accountId} ${entry.revision}`);
  const copy = async (from: Database, to: Database) => {
    const ends = [
      await openCopyEndpoint(from.url, { mustExist: true }),
      await openCopyEndpoint(to.url, { mustExist: false }),
    ] as const;
    await copyDatabase(...ends, () => {});
    for (const end of ends) await end.close();
  };
  async function inStore<T>({ url }: Database, work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore({ database: url });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  it.each([
    ['SQLite', freshSqlite],
    ['PostgreSQL', freshPostgres],
  ] as const)(
    'hold where a restored database is copied into %s before anything is written',
    async (_name, create) => {
      const [restored, target] = await Promise.all([freshSqlite(), create()]);
      const scopes = ['read'] as const;
      const key = { id: 'k', tenantId: 1, hash: 'h', scopes, label: '', createdAt: 1, expiresAt: null };
      await inStore(restored, async (store) => {
        await createTenant(store, 'acme');
        await store.directory.keys.add(key);
        await write(store, 'a');
      });
      // As after a restore: later than every change that was returned since the backup.
      const commitOrder = 1_700_000_000_000;
      await runStatements(restored, `update configuration set feed_turn = ${commitOrder}`);
      await copy(restored, target);
      await inStore(target, async (store) => {
        await write(store, 'b');
        expect(
          names((await store.feed.page(1, { commitOrder: commitOrder - 1, seq: 1_000 }, 100)).entries),
        ).toEqual(['b 1']);
      });
      for (const database of [restored, target]) await database.remove();
    },
  );

  it('stay valid across copies from SQLite to PostgreSQL, back, and on', async () => {
    const [first, second, third] = sqlites as [Database, Database, Database];
    const cursor = await inStore(first, async (store) => {
      await createTenant(store, 'acme');
      const tier = {
        name: 'custom_Tier',
        type: 'text',
        choices: [],
        readOnly: false,
        indexed: true,
      } as const;
      await store.directory.attributes.set(1, tier);
      await store.indexBuilds.build(1, tier.name);
      const key = {
        id: 'k',
        tenantId: 1,
        hash: 'h',
        scopes: ['read'],
        label: '',
        createdAt: 1,
        expiresAt: null,
      } as const;
      await store.directory.keys.add(key);
      await write(store, 'a', 'b', 'a');
      await store.jobs.countChanges(1, 1);
      return (await store.feed.page(1, BEGINNING, 2)).entries.at(-1)?.position as Position;
    });
    const expected = ['a 2'];
    const places = [first, postgres, second, third];
    for (const [i, place] of places.entries()) {
      if (i > 0) await copy(places[i - 1] as Database, place);
      await inStore(place, async (store) => {
        expect(names((await store.feed.page(1, cursor, 100)).entries)).toEqual(expected);
        const end = await store.feed.end(1);
        await write(store, 'b', `new-${i}`);
        const added = [`b ${i + 2}`, `new-${i} 1`];
        expect(names((await store.feed.page(1, end, 100)).entries)).toEqual(added);
        expected.push(...added);
        expect(names((await store.feed.page(1, cursor, 100)).entries)).toEqual(expected);
        await store.jobs.countChanges(1, 1);
        expect(await store.statistics.accounts(1)).toBe(i + 3);
        // The copy of the accounts has filled the index.
        const value = JSON.stringify((await store.accounts.find(1, 'a'))?.fields.custom_Tier);
        const filter = { kind: 'attribute', name: 'custom_Tier', value, isIndexed: true } as const;
        const found = await store.pages.page(1, { order: 'id', filters: [filter] }, 10);
        expect(found.accounts.map(({ accountId }) => accountId)).toEqual(['a']);
      });
    }
  });
});
