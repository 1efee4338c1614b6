import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { StoreUnusable } from '../../dist/store/errors.js';
import { openStore } from '../../dist/store/open-store.js';
import { ConnectionPools } from '../../dist/store/postgres/connection-pools.js';
import { kyselyOver } from '../../dist/store/postgres/kysely-database.js';
import { migrate } from '../../dist/store/schema/migrate.js';
import { allMigrations, type Migration } from '../../dist/store/schema/migrations.js';
import type { Store } from '../../dist/store/store.js';
import { createTenant } from '../store/store-contract.js';
import { emptyPostgres, urlForTest } from '../support/databases.js';
import { queryOnce } from '../support/postgres/postgres-server.js';

const addColor: Migration = {
  name: 'add color',
  run: async (db) => {
    await sql`alter table account add column color text`.execute(db);
  },
};
const failing: Migration = {
  name: 'fails half-way',
  run: async (db) => {
    await sql`create table half_done (x int)`.execute(db);
    throw new Error('half-way');
  },
};

const upsert = (store: Store, tenantId: number, accountId: string) =>
  store.upsert({
    tenantId,
    patches: [{ accountId, fields: { name: accountId } }],
    requestId: 'r',
    senderId: 'k',
    at: 1,
    bytes: 1,
  });

describe('migrations on PostgreSQL', () => {
  it('run once when many processes start together', async () => {
    const database = await urlForTest(emptyPostgres);
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStore({ database })));
    expect(await queryOnce(database, 'select version, name from schema_migration')).toEqual(
      allMigrations.map(({ name }, index) => ({ version: index + 1, name })),
    );
    expect(await queryOnce(database, 'select count(*)::int from configuration')).toEqual([{ count: 1 }]);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('let the old version continue to write, before, during and after', async () => {
    const database = await urlForTest(emptyPostgres);
    const old = await openStore({ database });
    const tenantId = await createTenant(old, 'acme');
    let writes = 0;
    let isDone = false;
    const writing = (async () => {
      while (!isDone) {
        writes += 1;
        expect((await upsert(old, tenantId, `a-${writes}`)).created).toBe(1);
        expect((await upsert(old, tenantId, `a-${writes}`)).unchanged).toBe(1);
      }
    })();
    const newer = await openStore({ database, migrations: [...allMigrations, addColor] });
    const before = writes;
    expect((await upsert(newer, tenantId, 'new')).created).toBe(1);
    expect((await upsert(old, tenantId, 'new')).unchanged).toBe(1);
    while (writes < before + 20) await upsert(newer, tenantId, `b-${writes}`);
    isDone = true;
    await writing;
    await Promise.all([old.close(), newer.close()]);
  });

  it('to another layout are refused while a server of an earlier version is connected', async () => {
    const database = await urlForTest(emptyPostgres);
    const earlier = allMigrations.slice(
      0,
      allMigrations.findIndex(({ excludesServers }) => excludesServers),
    );
    const db = kyselyOver(new ConnectionPools([database], { size: 1, purpose: 'migration' }));
    await migrate(db, {
      migrations: earlier,
      dialect: 'postgres',
      begin: async (connection) => {
        await sql`begin`.execute(connection);
      },
    });
    await db.destroy();
    // A server of any version takes the lock when it connects.
    const server = new ConnectionPools([database], { size: 1, purpose: 'server' });
    const connection = await server.connect();
    await expect(openStore({ database })).rejects.toThrow(
      new StoreUnusable(
        'Servers of an earlier account-sync are connected to this database, and cannot run beside this version. ' +
          'Nothing was changed. Stop all of them, then start this version again.',
      ),
    );
    const version = 'select max(version) as version from schema_migration';
    expect(await queryOnce(database, version)).toEqual([{ version: earlier.length }]);
    connection.release();
    await server.end();
    await (await openStore({ database })).close();
    expect(await queryOnce(database, version)).toEqual([{ version: allMigrations.length }]);
  });

  it('wait for a table in short attempts, so that no statement queues after them for long', async () => {
    const database = await urlForTest(emptyPostgres);
    const old = await openStore({ database });
    const tenantId = await createTenant(old, 'acme');
    const reader = new pg.Client({ connectionString: database });
    await reader.connect();
    await reader.query('begin; select count(*) from account');
    const migrated = openStore({ database, migrations: [...allMigrations, addColor] });
    // Each write waits at most as long as one attempt.
    for (let i = 0; i < 3; i += 1) expect((await upsert(old, tenantId, `a-${i}`)).created).toBe(1);
    await reader.query('commit');
    await reader.end();
    await (await migrated).close();
    expect(await queryOnce(database, 'select max(version) from schema_migration')).toEqual([
      { max: allMigrations.length + 1 },
    ]);
    await old.close();
  });

  it('do not change a database of a newer version', async () => {
    const database = await urlForTest(emptyPostgres);
    await (await openStore({ database, migrations: [...allMigrations, addColor] })).close();
    const known = allMigrations.length;
    await expect(openStore({ database })).rejects.toEqual(
      new StoreUnusable(
        `The database has schema version ${known + 1}, made by a newer account-sync; this one knows ${known}. ` +
          'Start the newer version, or restore the backup made before the upgrade.',
      ),
    );
  });

  it('change nothing if one fails', async () => {
    const database = await urlForTest(emptyPostgres);
    await (await openStore({ database })).close();
    await expect(openStore({ database, migrations: [...allMigrations, failing] })).rejects.toThrow(
      'half-way',
    );
    expect(await queryOnce(database, "select to_regclass('half_done') as half")).toEqual([{ half: null }]);
    await (await openStore({ database })).close();
  });
});
