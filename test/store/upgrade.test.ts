import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { ConnectionPools } from '../../dist/store/postgres/connection-pools.js';
import { kyselyOver } from '../../dist/store/postgres/kysely-database.js';
import { migrate } from '../../dist/store/schema/migrate.js';
import { allMigrations, type Migration, type MigrationProgress } from '../../dist/store/schema/migrations.js';
import { BEGINNING } from '../../dist/store/schema/position.js';
import { openConnection } from '../../dist/store/sqlite/connection.js';
import type { Store } from '../../dist/store/store.js';
import { type Database, emptyDatabases } from '../support/databases.js';
import { joinTenant } from '../support/join-tenant.js';
import { queryOnce } from '../support/postgres/postgres-server.js';

const first = allMigrations[0] as Migration;
const NOW = Date.now();

/** Rows of the previous version: without the columns `kind` and `turn`. */
const oldChange = (id: string, revision: number, changes: object, tenant = 1) =>
  `insert into account_history (tenant_id, account_id, revision, at, request_id, key_id, changes)
   values (${tenant}, '${id}', ${revision}, ${NOW}, 'r-${revision}', 'k1', '${JSON.stringify(changes)}');`;
const OLD = `
  insert into tenant (name, account_ids, undeclared_fields, created_at) values
    ('acme', 'any', 'keep', 1), ('other', 'any', 'keep', 1);
  insert into api_key (id, tenant_id, hash, scopes, label, created_at) values ('k1', 1, 'h', '["sync"]', '', 1);
  insert into attribute (tenant_id, name, type, choices, read_only) values (1, 'custom_Tier', 'text', '[]', 0);
  insert into account (tenant_id, account_id, parent_account_id, name, fields, revision, created_at, updated_at) values
    (1, 'a', 'b', 'Äcme', '{"custom_Tier":"gold"}', 2, ${NOW}, ${NOW}),
    (1, 'b', null, null, '{}', 1, ${NOW}, ${NOW}), (2, 'a', null, 'Other', '{}', 1, ${NOW}, ${NOW});
  ${oldChange('b', 1, {})}
  ${oldChange('a', 1, { name: [null, 'Acme'], parent_account_id: [null, 'b'] })}
  ${oldChange('a', 1, { name: [null, 'Other'] }, 2)}
  ${oldChange('a', 2, { name: ['Acme', 'Äcme'], custom_Tier: [null, 'gold'] })}`;

/** Only the first migration, without the steps of this version on every start. */
async function migrateFirst(url: string): Promise<void> {
  const db = kyselyOver(new ConnectionPools([url], { size: 1, purpose: 'migration' }));
  const begin = async (connection: typeof db) => {
    await sql`begin`.execute(connection);
  };
  await migrate(db, { migrations: [first], dialect: 'postgres', begin });
  await db.destroy();
}

describe.each(emptyDatabases)('a database of the previous version on %s', (name, createDatabase) => {
  let database: Database;
  let store: Store;
  const progress: MigrationProgress[] = [];

  const run = async (statements: string) => {
    if (name === 'PostgreSQL') return queryOnce(database.url, statements);
    const db = openConnection(join(database.settings.ACCOUNT_SYNC_DATA_DIR ?? '', 'account-sync.db'));
    db.exec(statements);
    db.close();
  };
  const upsert = (accountId: string, fields: Record<string, string>, erase?: true) =>
    store.upsert({
      tenantId: 1,
      patches: [{ accountId, fields, ...(erase && { erase }) }],
      requestId: 'r',
      senderId: 'k1',
      at: NOW + 1,
      bytes: 1,
    });
  const feedEntries = async () =>
    (await store.feed.page(1, BEGINNING, 100)).entries.map(({ accountId, revision, kind }) => [
      accountId,
      revision,
      kind,
    ]);

  beforeAll(async () => {
    database = await createDatabase();
    if (name === 'PostgreSQL') await migrateFirst(database.url);
    else await (await openStore({ database: database.url, migrations: [first] })).close();
    await run(OLD);
    store = await openStore({ database: database.url, onMigration: (step) => progress.push(step) });
  }, 60_000);
  afterAll(async () => {
    await store.close();
    await database.remove();
  });

  it('reports the progress of its conversion', () => {
    expect(progress).toEqual([
      { migration: 'change sets', done: 3, total: 4 },
      { migration: 'change sets', done: 4, total: 4 },
    ]);
  });

  it('is read unchanged', async () => {
    const a = {
      accountId: 'a',
      fields: { custom_Tier: 'gold', parent_account_id: 'b', name: 'Äcme' },
      revision: 2,
      createdAt: NOW,
      updatedAt: NOW,
      archivedAt: null,
      deletedAt: null,
    };
    const b = { ...a, accountId: 'b', fields: {}, revision: 1 };
    expect(await store.accounts.find(1, 'a')).toEqual(a);
    for (const [listing, accounts] of [
      [{ order: 'id', filters: [] }, [a, b]],
      [{ order: 'name', filters: [{ kind: 'name', prefix: 'ÄC' }] }, [a]],
      [{ order: 'id', filters: [{ kind: 'parent', parentId: 'b' }] }, [a]],
    ] as const) {
      expect(await store.pages.page(1, listing, 10)).toEqual({ accounts, next: undefined });
    }
    expect((await store.tree.ancestors(1, a)).accounts).toEqual([b]);
    const change = { isErased: false, at: NOW, senderId: 'k1', runId: null, source: 'default', user: null };
    expect(await store.history.read(1, 'a')).toEqual([
      {
        ...change,
        revision: 1,
        kind: 'created',
        requestId: 'r-1',
        changes: { name: [null, 'Acme'], parent_account_id: [null, 'b'] },
      },
      {
        ...change,
        revision: 2,
        kind: 'updated',
        requestId: 'r-2',
        changes: { name: ['Acme', 'Äcme'], custom_Tier: [null, 'gold'] },
      },
    ]);
    expect((await store.directory.findTenant({ name: 'acme' }))?.attributes).toEqual([
      { name: 'custom_Tier', type: 'text', choices: [], readOnly: false },
    ]);
  });

  it('returns its changes in the feed, and counts them', async () => {
    expect(await feedEntries()).toEqual([
      ['b', 1, 'created'],
      ['a', 1, 'created'],
      ['a', 2, 'updated'],
    ]);
    const range = { from: BEGINNING, until: await store.feed.end(1), filters: [], limit: 10 } as const;
    const recent = await store.recent.page(1, { ...range, direction: 'asc' });
    expect(recent.accounts.map(({ accountId }) => accountId)).toEqual(['b', 'a']);
    expect(await store.jobs.countChanges(1, NOW)).toBe(true);
    expect(await store.statistics.accounts(1)).toBe(2);
    expect(await store.statistics.fields(1)).toEqual([
      { name: 'custom_Tier', accounts: 1, shapes: expect.any(Number) },
      { name: 'name', accounts: 1, shapes: expect.any(Number) },
      { name: 'parent_account_id', accounts: 1, shapes: expect.any(Number) },
    ]);
  });

  it('stores sessions', async () => {
    const session = { hash: 'h', id: 's1', tenantId: 1, senderId: 'k1', userAgent: 'A browser' };
    const times = { createdAt: NOW, expiresAt: NOW + 1 };
    await store.directory.sessions.create({ ...session, ...times });
    expect(await store.directory.sessions.find('h')).toEqual({ ...session, ...times, lastUsedAt: null });
  });

  it('has no users yet, and lets people join', async () => {
    expect(await store.directory.users.members(1)).toEqual([]);
    const { id } = await joinTenant(store, 1, { email: 'user@acme.example', role: 'admin' });
    expect(await store.directory.users.members(1)).toMatchObject([{ id, role: 'admin' }]);
    expect(await store.directory.sources.find(1, 'console')).toMatchObject({ label: 'Console' });
  });

  it('lets attributes have a label', async () => {
    const tier = { name: 'custom_Tier', type: 'text', choices: [], readOnly: false } as const;
    const presentation = { label: 'Tier', description: 'd', unit: 'u', position: 1, group: 'g' };
    await store.directory.attributes.set(1, { ...tier, presentation });
    expect(await store.directory.attributes.list(1)).toEqual([{ ...tier, presentation }]);
  });

  it('continues: new writes, indexes and deletions follow the existing data', async () => {
    const before = await feedEntries();
    await upsert('c', { custom_Tier: 'gold' });
    await upsert('b', { custom_Tier: 'silver' });
    const tier = { name: 'custom_Tier', type: 'text', choices: [], readOnly: false, indexed: true } as const;
    await store.directory.attributes.set(1, tier);
    await store.indexBuilds.build(1, 'custom_Tier');
    const gold = { kind: 'attribute', name: 'custom_Tier', value: '"gold"', isIndexed: true } as const;
    const found = await store.pages.page(1, { order: 'id', filters: [gold] }, 10);
    expect(found.accounts.map(({ accountId }) => accountId)).toEqual(['a', 'c']);
    await upsert('a', {}, true);
    expect(await feedEntries()).toEqual([
      ...before,
      ['c', 1, 'created'],
      ['b', 2, 'updated'],
      ['a', 3, 'deleted'],
    ]);
    expect(await store.accounts.find(1, 'a')).toBeUndefined();
    expect((await store.history.read(1, 'a')).map(({ isErased }) => isErased)).toEqual([true, true, true]);
    expect((await store.accounts.find(2, 'a'))?.fields).toEqual({ name: 'Other' });
    expect(await store.jobs.countChanges(1, NOW)).toBe(true);
    expect(await store.statistics.accounts(1)).toBe(2);
  });
});
