import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { openConnection } from '../../dist/store/sqlite/connection.js';
import type { Store } from '../../dist/store/store.js';
import { TENANT_TABLES } from '../../dist/store/tenants/remove-tenant.js';
import { createTenant } from '../store/store-contract.js';
import { type Database, databases } from '../support/databases.js';
import { dumpTables } from '../support/dump-tables.js';

describe.each(databases)('removing a tenant on %s', (_name, createDatabase) => {
  let database: Database;
  let store: Store;
  beforeAll(async () => {
    database = await createDatabase();
    store = await openStore({ database: database.url });
  }, 60_000);
  afterAll(async () => {
    await store.close();
    await database.remove();
  });

  const upsert = (tenantId: number, ids: readonly string[]) =>
    store.upsert({
      tenantId,
      patches: ids.map((accountId) => ({ accountId, fields: { name: accountId } })),
      requestId: 'r',
      keyId: 'k',
      at: Date.now(),
      bytes: 1,
    });
  const reject = (tenantId: number) => {
    const at = Date.now();
    const rejected = {
      at,
      requestId: 'r',
      keyId: 'k',
      runId: null,
      operation: 'upsert-account',
      status: 400,
      place: null,
    };
    const rejection = { ...rejected, accountId: null, errors: null, problem: 'No data.', record: null };
    const all = [{ tenantId, rejections: [rejection], total: new Map([[at, 1]]) }];
    return store.jobs.recordRejections(all, at);
  };

  it('knows every table with rows of tenants', async () => {
    expect([...TENANT_TABLES].sort()).toEqual((await tenantTables(database.url)).sort());
  });

  it('removes page by page, and reports the progress', async () => {
    const id = await createTenant(store, 'large');
    await upsert(
      id,
      Array.from({ length: 1_200 }, (_, i) => `a${i}`),
    );
    const steps: unknown[] = [];
    await store.directory.removeTenant(id, (...step) => steps.push(step));
    expect(steps.filter((step) => (step as unknown[])[0] === 'account')).toEqual([
      ['account', 500, 1_200],
      ['account', 1_000, 1_200],
      ['account', 1_200, 1_200],
    ]);
    expect(await store.directory.findTenant({ id })).toBeUndefined();
  });

  it('prevents all later writes for it', async () => {
    const id = await createTenant(store, 'removed');
    await upsert(id, ['acme']);
    const version = await store.directory.version();
    await store.directory.removeTenant(id, () => {});
    expect(await store.directory.version()).toBeGreaterThan(version);
    const before = await dumpTables(database.url);
    await expect(upsert(id, ['acme'])).rejects.toThrow();
    expect(await store.jobs.countChanges(id, Date.now())).toBe(true);
    await reject(id);
    expect(await dumpTables(database.url)).toEqual(before);
  });
});

async function tenantTables(url: string): Promise<string[]> {
  if (url.startsWith('sqlite:')) {
    const db = openConnection(join(url.slice('sqlite:'.length), 'account-sync.db'));
    const tables: { name: string }[] = db
      .prepare(
        `select t.name from sqlite_schema as t join pragma_table_info(t.name) as c
         where t.type = 'table' and c.name = 'tenant_id'`,
      )
      .all();
    db.close();
    return tables.map(({ name }) => name);
  }
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    "select table_name from information_schema.columns where table_schema = 'public' and column_name = 'tenant_id'",
  );
  await client.end();
  return rows.map(({ table_name }) => table_name);
}
