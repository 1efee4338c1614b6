import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../dist/domain/account.js';
import type { JsonObject } from '../../dist/domain/json.js';
import type { AccountFilter } from '../../dist/store/accounts/account-filter.js';
import type { Listing } from '../../dist/store/accounts/listing-plan.js';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { createTenant } from '../store/store-contract.js';
import { type Database, databases } from '../support/databases.js';

const STAYING = Array.from({ length: 200 }, (_, i) => `s-${1000 + 2 * i}`);
const FIELDS = { name: 'Name', parent_account_id: 'parent', custom_Tier: 'gold' };

describe.each(databases)('pages on %s during concurrent writes', (name, createDatabase) => {
  let database: Database;
  let stores: Store[];
  let tenantId: number;
  let isDone = false;
  let writing: Promise<void>[];
  let writes = 0;

  beforeAll(async () => {
    database = await createDatabase();
    // A SQLite database can have one server, which writes in a separate thread.
    const several = name === 'SQLite' ? [1] : [1, 2];
    stores = await Promise.all(several.map(() => openStore({ database: database.url, serving: true })));
    tenantId = await createTenant(reader(), 'acme');
    const tier = { name: 'custom_Tier', type: 'text', choices: [], readOnly: false, indexed: true } as const;
    await reader().directory.attributes.set(tenantId, tier);
    await reader().indexBuilds.build(tenantId, tier.name);
    await write(reader(), STAYING, FIELDS);
    writing = [0, 1, 2, 3].map((writer) => keepWriting(stores[writer % stores.length] as Store, writer));
  }, 60_000);

  afterAll(async () => {
    isDone = true;
    await Promise.all(writing);
    await Promise.all(stores.map((store) => store.close()));
    await database.remove();
  });

  const reader = () => stores[0] as Store;
  const write = (store: Store, ids: readonly string[], fields: JsonObject, erase?: true) =>
    store.upsert({
      tenantId,
      patches: ids.map((accountId) => ({ accountId, fields, ...(erase && { erase }) })),
      requestId: 'r',
      senderId: 'k',
      at: Date.now(),
      bytes: 1,
    });

  /** Creates, moves and deletes accounts between those that stay, and changes all of them repeatedly. */
  async function keepWriting(store: Store, writer: number): Promise<void> {
    for (let round = 0; !isDone; round += 1) {
      const some = [1, 3, 5, 7].map(
        (step) => `s-${1001 + 2 * ((round * 31 + step * 17 + writer * 50) % 200)}`,
      );
      const staying = [0, 1, 2].map((step) => STAYING[(round * 13 + step * 61 + writer * 7) % 200] as string);
      await write(store, some, { ...FIELDS, name: `name ${round % 7}`, licenses: round });
      await write(store, staying, { licenses: round * 10 + writer });
      await write(store, some.slice(0, 2), {}, true);
      await write(store, some.slice(2), {
        name: 'Name',
        parent_account_id: round % 2 === 0 ? 'other' : 'parent',
      });
      writes += 1;
    }
  }

  /** Reads the whole listing repeatedly, until there were writes during one reading. */
  async function expectEachOnce(
    read: (next: never) => Promise<{ accounts: readonly Account[]; next: unknown }>,
  ) {
    for (let pass = 0; pass < 2; pass += 1) {
      const before = writes;
      do {
        const seen: string[] = [];
        for (let next: unknown; seen.length === 0 || next !== undefined; ) {
          const page = await read(next as never);
          seen.push(...page.accounts.map(({ accountId }) => accountId));
          next = page.next;
          // Reads of SQLite are synchronous and do not yield to the writers by themselves.
          await setImmediate();
        }
        expect(seen.filter((id) => STAYING.includes(id)).toSorted()).toEqual(STAYING);
      } while (writes === before);
    }
  }

  const parent: AccountFilter = { kind: 'parent', parentId: 'parent' };
  const tier: AccountFilter = { kind: 'attribute', name: 'custom_Tier', value: '"gold"', isIndexed: true };
  const named: AccountFilter = { kind: 'name', prefix: 'nAM' };
  const search: AccountFilter = { kind: 'search', id: 's-1', name: 'x' };

  it.each<Listing>([
    { order: 'id', filters: [] },
    { order: '-id', filters: [] },
    { order: 'id', filters: [{ kind: 'id', prefix: 's-1' }] },
    { order: '-id', filters: [{ kind: 'id', prefix: 's-1' }] },
    { order: 'name', filters: [named] },
    { order: '-name', filters: [] },
    { order: 'id', filters: [parent] },
    { order: 'id', filters: [tier] },
    { order: 'match', filters: [search] },
    { order: 'id', filters: [parent, search, named, tier] },
    { order: '-id', filters: [{ ...tier, isIndexed: false }] },
  ])(
    'show every account that existed all the time exactly once, by $order with $filters',
    async (listing) => {
      await expectEachOnce((next) => reader().pages.page(tenantId, listing, 13, next));
    },
    30_000,
  );

  it.each<['asc' | 'desc', AccountFilter[]]>([
    ['asc', []],
    ['desc', []],
    ['asc', [{ kind: 'since', at: 0 }]],
    ['desc', [parent, tier]],
  ])(
    'show it exactly once by last change, %s, with %j',
    async (direction, filters) => {
      const { feed, recent } = reader();
      let until = await feed.end(tenantId);
      await expectEachOnce(async (next) => {
        if (next === undefined) until = await feed.end(tenantId);
        const first =
          direction === 'asc'
            ? { commitOrder: 0, seq: 0 }
            : { commitOrder: until.commitOrder, seq: until.seq + 1 };
        return recent.page(tenantId, { from: next ?? first, until, direction, filters, limit: 200 });
      });
    },
    30_000,
  );
});
