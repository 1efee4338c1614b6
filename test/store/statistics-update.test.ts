import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../dist/domain/json.js';
import { StatisticsUpdate } from '../../dist/store/changes/statistics-update.js';
import { SQLITE } from '../../dist/store/dialect.js';
import { openCopyEndpoint } from '../../dist/store/maintenance/open-copy-endpoint.js';
import { openStore } from '../../dist/store/open-store.js';
import { CHANGE_KINDS, noChanges } from '../../dist/store/schema/change-set.js';
import { BEGINNING } from '../../dist/store/schema/position.js';
import type { Store } from '../../dist/store/store.js';
import { type Database, databases, freshSqlite } from '../support/databases.js';
import { createTenant } from './store-contract.js';

const HOUR = 3_600_000;
const NOW = Math.floor(Date.now() / HOUR) * HOUR;

describe.each(databases)('statistics on %s', (name, createDatabase) => {
  let database: Database;
  let stores: Store[];
  beforeAll(async () => {
    database = await createDatabase();
    // A SQLite database can have one server, which counts in a separate thread.
    const several = name === 'SQLite' ? [1] : [1, 2, 3];
    const options = { database: database.url, serving: true };
    stores = await Promise.all(several.map(() => openStore(options)));
  }, 60_000);
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await database.remove();
  });

  const any = () => stores[0] as Store;
  const write = (
    store: Store,
    tenantId: number,
    ids: string[],
    fields: JsonObject,
    at: number,
    erase?: true,
  ) =>
    store.upsert({
      tenantId,
      patches: ids.map((accountId) => ({ accountId, fields, ...(erase && { erase }) })),
      requestId: 'r',
      senderId: 'k',
      at,
      bytes: 1,
    });
  const countAll = (tenantId: number) =>
    vi.waitFor(async () => {
      const counted = await Promise.all(stores.map((store) => store.jobs.countChanges(tenantId, NOW)));
      expect(counted).toEqual(stores.map(() => true));
    });

  /** The expected counts, computed from every account and every change. */
  async function recount(tenantId: number) {
    const { accounts } = await any().pages.page(tenantId, { order: 'id', filters: [] }, 100_000);
    const fields = new Map<string, number>();
    for (const name of accounts.flatMap((account) => Object.keys(account.fields))) {
      fields.set(name, (fields.get(name) ?? 0) + 1);
    }
    const kinds = noChanges();
    for (const { kind } of (await any().feed.page(tenantId, BEGINNING, 100_000)).entries) kinds[kind] += 1;
    return { accounts: accounts.length, fields: Object.fromEntries(fields), kinds };
  }

  async function counts(tenantId: number) {
    const { statistics } = any();
    const fields = await statistics.fields(tenantId);
    const kinds = noChanges();
    for (const period of await statistics.periods(tenantId, 'minute', 0, NOW + HOUR)) {
      for (const kind of CHANGE_KINDS) kinds[kind] += period[kind];
    }
    return {
      accounts: await statistics.accounts(tenantId),
      fields: Object.fromEntries(fields.map(({ name, accounts }) => [name, accounts])),
      kinds,
    };
  }

  it('are exact while several processes write and count, and no change is counted twice', async () => {
    const tenantId = await createTenant(any(), 'busy');
    let isDone = false;
    const writing = [0, 1, 2].map(async (s) => {
      const store = stores[s % stores.length] as Store;
      for (let round = 0; round < 30; round += 1) {
        const ids = Array.from({ length: 40 }, (_, i) => `a-${(round * 11 + i * (s + 1)) % 120}`);
        const unique = [...new Set(ids)];
        const fields = {
          name: `n ${round}`,
          [`custom_${round % 4}`]: round % 3 === 0 ? null : `${s} ${round}`,
        };
        await write(store, tenantId, unique, fields, NOW + round * 60_000);
        if (round % 4 === 3)
          await write(store, tenantId, unique.slice(0, 15), {}, NOW + round * 60_000, true);
      }
    });
    const counting = [0, 1, 2].map(async (s) => {
      const store = stores[s % stores.length] as Store;
      while (!isDone) await store.jobs.countChanges(tenantId, NOW);
    });
    await Promise.all(writing);
    isDone = true;
    await Promise.all(counting);
    await countAll(tenantId);
    const expected = await recount(tenantId);
    expect(await counts(tenantId)).toEqual(expected);
    await countAll(tenantId);
    expect(await counts(tenantId)).toEqual(expected);
    const total = { created: 0, updated: 0, archived: 0, restored: 0, deleted: 0 };
    for (const day of await any().statistics.periods(tenantId, 'day', 0, NOW + HOUR)) {
      for (const kind of CHANGE_KINDS) total[kind] += day[kind];
    }
    expect(total).toEqual(expected.kinds);
  });

  it('are the same whether an account is deleted before or after it is counted', async () => {
    const [early, late] = [await createTenant(any(), 'early'), await createTenant(any(), 'late')];
    const steps = [
      (id: number) => write(any(), id, ['a', 'b'], { name: 'A', n: 1, t: 'x' }, NOW),
      (id: number) => write(any(), id, ['a'], { n: 1.5, t: null }, NOW),
      (id: number) => write(any(), id, ['b'], {}, NOW, true),
      (id: number) => write(any(), id, ['b'], { n: 2 }, NOW),
    ];
    for (const step of steps) {
      await step(early);
      await countAll(early);
      await step(late);
    }
    await countAll(late);
    const expected = {
      accounts: 2,
      fields: { n: 2, name: 1 },
      kinds: { created: 3, updated: 1, archived: 0, restored: 0, deleted: 1 },
    };
    expect([await counts(early), await counts(late)]).toEqual([expected, expected]);
    expect(await any().statistics.holders(late, 'n')).toBe(2);
    expect(await any().statistics.holders(late, 't')).toBe(0);
  });

  it('keep minutes for two days, hours for two months, and days forever', async () => {
    const tenantId = await createTenant(any(), 'old');
    const DAY = 24 * HOUR;
    for (const [i, days] of [100, 30, 1].entries())
      await write(any(), tenantId, [`a-${i}`], {}, NOW - days * DAY);
    await countAll(tenantId);
    const kept = async (unit: 'minute' | 'hour' | 'day') =>
      (await any().statistics.periods(tenantId, unit, 0, NOW)).length;
    expect([await kept('minute'), await kept('hour'), await kept('day')]).toEqual([1, 2, 3]);
    const later = NOW + 2 * DAY;
    const rejections = [{ tenantId, rejections: [], total: new Map([[later, 1]]) }];
    await any().jobs.recordRejections(rejections, later);
    expect([await kept('minute'), await kept('hour'), await kept('day')]).toEqual([0, 2, 3]);
  });
});

it('looks up generated names before it takes the write lock, and stores those within the limit', async () => {
  const database = await freshSqlite();
  const store = await openStore({ database: database.url });
  const tenantId = await createTenant(store, 'acme');
  const fields = (i: number) =>
    Object.fromEntries(Array.from({ length: 400 }, (_, j) => [`custom_${i * 400 + j}`, 1]));
  const patches = Array.from({ length: 15 }, (_, i) => ({ accountId: `a-${i}`, fields: fields(i) }));
  await store.upsert({ tenantId, patches, requestId: 'r', senderId: 'k', at: NOW, bytes: 1 });
  await store.close();
  const end = await openCopyEndpoint(database.url, { mustExist: true });
  const statements: string[] = [];
  const db = end.db.withPlugin({
    transformQuery: ({ node }) => {
      if (JSON.stringify(node).includes('"field_use"')) statements.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await new StatisticsUpdate(db, SQLITE).catchUp(tenantId, NOW);
  const stored = await end.db.selectFrom('field_use').select('name').execute();
  await end.close();
  await database.remove();
  expect(stored).toHaveLength(5_000);
  expect(statements.lastIndexOf('SelectQueryNode')).toBeLessThan(statements.indexOf('InsertQueryNode'));
  expect(statements.filter((kind) => kind === 'InsertQueryNode')).toHaveLength(10);
});
