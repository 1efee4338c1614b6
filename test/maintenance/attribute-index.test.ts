import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../dist/domain/json.js';
import { openCopyEndpoint } from '../../dist/store/maintenance/open-copy-endpoint.js';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { createTenant } from '../store/store-contract.js';
import { type Database, databases } from '../support/databases.js';

const TIER = { name: 'custom_Tier', type: 'text', choices: [], readOnly: false } as const;
const VALUES = [
  'gold',
  '',
  '"quoted" \\ \n\t\u0001\u2028',
  'ключ 👩',
  '👩'.repeat(198),
  '👩'.repeat(199),
  'x'.repeat(198),
  'x'.repeat(199),
  3,
  -0.5,
  1e21,
  1e-7,
  true,
  { deep: ['x', null, 1.0], é: {} },
  [],
];

describe.each(databases)('the index of an attribute on %s', (name, createDatabase) => {
  let database: Database;
  let store: Store;
  let tenants = 0;
  let tenantId: number;
  beforeAll(async () => {
    database = await createDatabase();
    store = await openStore({ database: database.url });
  }, 60_000);
  afterAll(async () => {
    await store.close();
    await database.remove();
  });

  const begin = async () => {
    tenants += 1;
    tenantId = await createTenant(store, `tenant-${tenants}`);
  };
  const write = (accounts: Record<string, JsonValue>, others: Record<string, JsonValue> = {}) =>
    store.upsert({
      tenantId,
      patches: Object.entries(accounts).map(([accountId, custom_Tier]) => ({
        accountId,
        fields: { custom_Tier, ...others },
      })),
      requestId: 'r',
      senderId: 'k',
      at: 1,
      bytes: 1,
    });
  const erase = (accountId: string) =>
    store.upsert({
      tenantId,
      patches: [{ accountId, fields: {}, erase: true }],
      requestId: 'r',
      senderId: 'k',
      at: 1,
      bytes: 1,
    });
  const set = (indexed: boolean) => store.directory.attributes.set(tenantId, { ...TIER, indexed });

  /** The values in the index, and the values that it should have according to all accounts. */
  async function indexedValues() {
    store = await reopened(async (db) => {
      const { rows } = await sql<{ account_id: string; value: string }>`
        select account_id, value from account_value where tenant_id = ${tenantId} order by account_id`.execute(
        db,
      );
      held = rows.map(({ account_id, value }) => [account_id, value]);
    });
    const expected: [string, string][] = [];
    for (let next: readonly string[] | undefined = []; next !== undefined; ) {
      const page = await store.pages.page(tenantId, { order: 'id', filters: [] }, 1_000, next);
      for (const { accountId, fields } of page.accounts) {
        const value = JSON.stringify(fields.custom_Tier);
        if (value !== undefined && [...value].length <= 200) expected.push([accountId, value]);
      }
      next = page.next;
    }
    return { held, expected };
  }
  let held: [string, string][] = [];
  async function reopened(work: (db: Awaited<ReturnType<typeof openCopyEndpoint>>['db']) => Promise<void>) {
    await store.close();
    const end = await openCopyEndpoint(database.url, { mustExist: true });
    await work(end.db);
    await end.close();
    return openStore({ database: database.url });
  }

  it('holds the same values whether they were written before or after it was created', async () => {
    await begin();
    const before = Object.fromEntries(VALUES.map((value, i) => [`before-${100 + i}`, value]));
    const after = Object.fromEntries(VALUES.map((value, i) => [`after-${100 + i}`, value]));
    await write(before);
    await set(true);
    await store.indexBuilds.build(tenantId, TIER.name);
    await write(after);
    const { held, expected } = await indexedValues();
    expect(held).toEqual(expected);
    expect(held).toHaveLength(2 * (VALUES.length - 2));
  });

  it('is complete even if accounts are written, changed and deleted while it is built', async () => {
    await begin();
    const many = (from: number, value: JsonValue) =>
      Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`a-${10_000 + from + i}`, value]));
    for (let i = 0; i < 1_200; i += 200) await write(many(i, `first ${i}`));
    await set(true);
    let isBuilt = false;
    const writing = [0, 1, 2].map(async (writer) => {
      for (let round = 0; !isBuilt || round < 3; round += 1) {
        await write(many((round * 200 + writer * 400) % 1_400, `${writer} ${round}`));
        await write({ [`a-${10_000 + ((round * 97 + writer) % 1_200)}`]: null });
        await erase(`a-${10_000 + ((round * 89 + writer * 7) % 1_200)}`);
      }
    });
    await store.indexBuilds.build(tenantId, TIER.name);
    isBuilt = true;
    await Promise.all(writing);
    const { held, expected } = await indexedValues();
    expect(held.length).toBeGreaterThan(800);
    expect(held).toEqual(expected);
    expect((await store.directory.attributes.list(tenantId))[0]?.index).toBe('ready');
  });

  it.each([
    ['250 accounts', 600, 10, [250, 250, 100]],
    ['half a megabyte of fields', 8, 100_000, [5, 3]],
  ])('is built in transactions of at most %s', async (_name, accounts, length, sizes) => {
    await begin();
    for (let i = 0; i < accounts; i += 300) {
      const some = Array.from({ length: Math.min(300, accounts - i) }, (_, j) => `a-${10_000 + i + j}`);
      await write(Object.fromEntries(some.map((id) => [id, 'x'])), { custom_Long: 'x'.repeat(length) });
    }
    await set(true);
    store = await reopened((db) => countTransactions(db, database.url));
    await store.indexBuilds.build(tenantId, TIER.name);
    let transactions: number[] = [];
    store = await reopened(async (db) => {
      transactions = await rowsByTransaction(db, database.url, tenantId);
    });
    expect(transactions).toEqual(sizes);
  });

  it.runIf(name === 'PostgreSQL')(
    'waits for a write that began before it was requested, and delays no other write',
    async () => {
      await begin();
      await write({ a: 'old', b: 'x' });
      const client = new pg.Client(database.url);
      await client.connect();
      await client.query('begin');
      // Its trigger does not know of the index yet.
      await client.query(
        `update account set fields = '{"custom_Tier":"new"}' where tenant_id = ${tenantId} and account_id = 'a'`,
      );
      await set(true);
      let isReady = false;
      const build = store.indexBuilds.build(tenantId, TIER.name).then(() => {
        isReady = true;
      });
      for (const value of ['y', 'z']) expect(await write({ b: value })).toMatchObject({ updated: 1 });
      expect(isReady).toBe(false);
      await client.query('commit');
      await client.end();
      await build;
      const { held } = await indexedValues();
      expect(held).toEqual([
        ['a', '"new"'],
        ['b', '"z"'],
      ]);
    },
  );

  it.runIf(name === 'PostgreSQL')('waits for a write that began while it was requested', async () => {
    await begin();
    await write({ a: 'x' });
    const [other, writer] = [new pg.Client(database.url), new pg.Client(database.url)];
    await Promise.all([other.connect(), writer.connect()]);
    // The request for the index stops before its commit.
    await other.query('begin; lock table audit in exclusive mode');
    const requested = set(true);
    const waiting = 'select count(*)::int as count from pg_locks where not granted';
    await expect.poll(async () => (await other.query(waiting)).rows).toEqual([{ count: 1 }]);
    await writer.query('begin');
    await writer.query(
      `insert into account (tenant_id, account_id, fields, revision, created_at, updated_at)
       values (${tenantId}, 'b', '{"custom_Tier":"y"}', 1, 1, 1)`,
    );
    await other.query('commit');
    await requested;
    let isReady = false;
    const build = store.indexBuilds.build(tenantId, TIER.name).then(() => {
      isReady = true;
    });
    expect(await write({ c: 'z' })).toMatchObject({ created: 1 });
    expect(isReady).toBe(false);
    await writer.query('commit');
    await build;
    await Promise.all([other.end(), writer.end()]);
    expect((await indexedValues()).held).toEqual([
      ['a', '"x"'],
      ['b', '"y"'],
      ['c', '"z"'],
    ]);
  });

  it('lets other tenants write between two pages without failures', async () => {
    await begin();
    const other = await createTenant(store, `other-${tenants}`);
    await write(Object.fromEntries(Array.from({ length: 1_200 }, (_, i) => [`a-${10_000 + i}`, 'x'])));
    await set(true);
    let isReady = false;
    const build = store.indexBuilds.build(tenantId, TIER.name).then(() => {
      isReady = true;
    });
    let between = 0;
    for (let i = 0; !isReady; i += 1) {
      const patches = [{ accountId: `b-${i}`, fields: { name: `${i}` } }];
      const request = { requestId: 'r', senderId: 'k', at: 1, bytes: 1 };
      expect(await store.upsert({ tenantId: other, patches, ...request })).toMatchObject({ created: 1 });
      between += 1;
    }
    await build;
    // After each of the first four pages.
    expect(between).toBeGreaterThanOrEqual(4);
    const { held, expected } = await indexedValues();
    expect(held).toEqual(expected);
    expect(held).toHaveLength(1_200);
  });

  it('is continued by the next server if one stops in the middle', async () => {
    await begin();
    for (const id of ['a', 'b']) {
      await write(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${id}-${1_000 + i}`, id])));
    }
    await set(true);
    await store.jobs.buildIndexPage(tenantId, TIER.name);
    const [attribute] = await store.directory.attributes.list(tenantId);
    expect(attribute).toMatchObject({ index: 'building', indexedAccounts: 250 });
    // Removed behind the service's back: a build that began again would index it.
    store = await reopened(async (db) => {
      await db.deleteFrom('account_value').where('account_id', '=', 'a-1000').execute();
    });
    await store.close();
    store = await openStore({ database: database.url, serving: true });
    const index = async () => (await store.directory.attributes.list(tenantId))[0]?.index;
    await expect.poll(index).toBe('ready');
    const { held, expected } = await indexedValues();
    expect(held).toEqual(expected.filter(([id]) => id !== 'a-1000'));
  });

  it('is not marked ready by a build that started before it was dropped and requested again', async () => {
    await begin();
    for (const id of ['a', 'b']) {
      await write(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${id}-${1_000 + i}`, id])));
    }
    await set(true);
    const { next } = await store.jobs.buildIndexPage(tenantId, TIER.name);
    await set(false);
    await write({ 'a-1000': 'new' });
    await set(true);
    expect(await store.jobs.buildIndexPage(tenantId, TIER.name, next)).toEqual({ written: 0, ms: 0 });
    expect((await store.directory.attributes.list(tenantId))[0]?.index).toBe('building');
    await store.indexBuilds.build(tenantId, TIER.name);
    const { held, expected } = await indexedValues();
    expect(held).toEqual(expected);
    expect(held[0]).toEqual(['a-1000', '"new"']);
  });

  it('changes the configuration version when it is ready, so that caches reload', async () => {
    await begin();
    await set(true);
    const building = await store.directory.version();
    await store.indexBuilds.build(tenantId, TIER.name);
    expect(await store.directory.version()).toBeGreaterThan(building);
  });

  it('drops outdated values of an earlier index', async () => {
    await begin();
    await set(true);
    await write({ a: 'old', b: 'old', c: 'same' });
    await store.indexBuilds.build(tenantId, TIER.name);
    // The process ends before it has removed the values.
    await set(false);
    await write({ a: 'new', b: null });
    await set(true);
    await store.indexBuilds.build(tenantId, TIER.name);
    const { held, expected } = await indexedValues();
    expect(held).toEqual(expected);
    expect(held).toEqual([
      ['a', '"new"'],
      ['c', '"same"'],
    ]);
  });

  /** Removes values that are not indexed any more, up to a number of steps. Returns the number of removed values. */
  async function remove(steps = Number.POSITIVE_INFINITY): Promise<number> {
    let removed = 0;
    const tasks = await store.jobs.findOld(1, 7);
    let task = tasks.find((one) => one.what === 'values' && one.tenantId === tenantId);
    for (let step = 0; task !== undefined && step < steps; step += 1) {
      const done = await store.jobs.prune(task, 1, 7);
      removed += done.removed;
      task = done.next;
    }
    return removed;
  }
  const many = (count: number, value: JsonValue) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`a-${10_000 + i}`, value]));
  const index = async (name: string = TIER.name) => {
    await store.directory.attributes.set(tenantId, { ...TIER, name, indexed: true });
    await store.indexBuilds.build(tenantId, name);
  };

  it('is emptied in steps once it is switched off, by any process, and no other index is', async () => {
    await begin();
    await index('custom_Before');
    await index();
    await index('licenses');
    const patch = { accountId: 'kept', fields: { custom_Before: 'b', licenses: 1 } };
    await store.upsert({ tenantId, patches: [patch], requestId: 'r', senderId: 'k', at: 1, bytes: 1 });
    await write(many(600, 'gold'));
    await set(false);
    expect(await remove(1)).toBe(250);
    await indexedValues();
    expect(held).toHaveLength(352);
    expect(await remove()).toBe(350);
    await indexedValues();
    expect(held).toEqual([
      ['kept', '"b"'],
      ['kept', '1'],
    ]);
    expect(await remove()).toBe(0);
  });

  it('is emptied even if its attribute is not declared any more', async () => {
    await begin();
    await index();
    await write(many(3, 'gold'));
    await store.directory.attributes.remove(tenantId, TIER.name);
    expect(await remove()).toBe(3);
    expect((await indexedValues()).held).toEqual([]);
  });

  it('is not emptied while it is in use, and is complete if it is requested again before it was empty', async () => {
    await begin();
    await index();
    await write(many(300, 'gold'));
    expect(await remove()).toBe(0);
    await set(false);
    const [task] = (await store.jobs.findOld(1, 7)).filter((one) => one.tenantId === tenantId);
    expect(await remove(1)).toBe(250);
    await write({ 'a-10000': 'new', 'a-10299': 'new' });
    await set(true);
    expect(task && (await store.jobs.prune(task, 1, 7))).toEqual({ removed: 0 });
    await store.indexBuilds.build(tenantId, TIER.name);
    const { held, expected } = await indexedValues();
    expect(held).toEqual(expected);
    expect(held).toHaveLength(300);
  });

  it('holds no value of a deleted account, even if it was switched off and is not empty yet', async () => {
    await begin();
    await index();
    await write({ a: 'x', b: 'y' });
    await set(false);
    await store.jobs.eraseTraces(tenantId, 'a');
    await erase('a');
    await indexedValues();
    expect(held).toEqual([['b', '"y"']]);
  });
});

type Db = Awaited<ReturnType<typeof openCopyEndpoint>>['db'];

/** On SQLite each transaction of a build starts by updating `attribute`. PostgreSQL stores `xmin` with each row. */
async function countTransactions(db: Db, url: string): Promise<void> {
  if (url.startsWith('postgres')) return;
  await sql`create table if not exists test_transaction (id integer primary key, rows integer not null)`.execute(
    db,
  );
  await sql`delete from test_transaction`.execute(db);
  await sql`
    create trigger if not exists test_begins after update on attribute
    begin insert into test_transaction (rows) values (0); end`.execute(db);
  await sql`
    create trigger if not exists test_writes after insert on account_value
    begin update test_transaction set rows = rows + 1 where id = (select max(id) from test_transaction); end`.execute(
    db,
  );
}

async function rowsByTransaction(db: Db, url: string, tenantId: number): Promise<number[]> {
  const { rows } = url.startsWith('postgres')
    ? await sql<{ rows: number }>`
        select count(*) as rows from account_value where tenant_id = ${tenantId}
        group by xmin order by min(account_id)`.execute(db)
    : await sql<{ rows: number }>`select rows from test_transaction where rows > 0 order by id`.execute(db);
  return rows.map((row) => Number(row.rows));
}
