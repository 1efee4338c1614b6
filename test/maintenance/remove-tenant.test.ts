import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LinkNotValid } from '../../dist/store/errors.js';
import { openStore } from '../../dist/store/open-store.js';
import { openConnection } from '../../dist/store/sqlite/connection.js';
import type { Store } from '../../dist/store/store.js';
import { TENANT_TABLES } from '../../dist/store/tenants/remove-tenant.js';
import { createTenant } from '../store/store-contract.js';
import { type Database, databases } from '../support/databases.js';
import { dumpTables } from '../support/dump-tables.js';
import { joinTenant } from '../support/join-tenant.js';

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
      senderId: 'k',
      at: Date.now(),
      bytes: 1,
    });
  const reject = (tenantId: number) => {
    const at = Date.now();
    const rejected = {
      at,
      requestId: 'r',
      senderId: 'k',
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

  it('removes the users who belong nowhere else, and keeps the others with their access', async () => {
    const id = await createTenant(store, 'with-users');
    const other = await createTenant(store, 'their-other');
    const { users, links, sessions } = store.directory;
    const join = async (name: string, ...tenants: readonly number[]) => {
      const email = `${name}@acme.example`;
      for (const tenant of tenants) await joinTenant(store, tenant, { email, name });
      return (await users.find({ email }))?.id ?? '';
    };
    const only = await join('only', id);
    const disabled = await join('disabled', id);
    await users.change(id, disabled, { isDisabled: true });
    const left = await join('left', id);
    await users.remove(id, left);
    const both = await join('both', id, other);
    const formerThere = await join('former-there', id, other);
    await users.remove(other, formerThere);
    const formerHere = await join('former-here', id, other);
    await users.remove(id, formerHere);
    const disabledThere = await join('disabled-there', id, other);
    await users.change(other, disabledThere, { isDisabled: true });
    const expiresAt = Date.now() + 1_000_000;
    for (const [tenantId, hash] of [
      [id, 'here'],
      [other, 'there'],
    ] as const) {
      const session = { hash, id: hash, tenantId, senderId: both, userAgent: null, createdAt: 1, expiresAt };
      await sessions.create(session);
      await links.invite(tenantId, 'viewer', { hash, email: 'new@acme.example', expiresAt });
    }

    const removed = await store.directory.removeTenant(id, () => {});
    expect(removed).toMatchObject({ membership: 7, one_time_link: 1, session: 1, tenant: 1 });
    for (const gone of [only, disabled, left]) expect(await users.find({ id: gone })).toBeUndefined();
    // The history of the other tenant names this one, who can no longer sign in.
    expect(await users.find({ id: formerThere })).toMatchObject({ name: 'former-there', password: null });
    for (const kept of [both, formerHere, disabledThere]) {
      const user = await users.find({ id: kept });
      expect(user).toMatchObject({ id: kept, password: `hash for ${user?.email}` });
    }
    expect((await users.members(other)).map((user) => user.id)).toEqual([both, disabledThere, formerHere]);
    expect([await sessions.find('here'), await links.find('here')]).toEqual([undefined, undefined]);
    expect(await sessions.find('there')).toMatchObject({ keyId: both, tenantId: other });
    expect(await links.find('there')).toMatchObject({ tenantId: other });
  });

  it('lets nobody in while it runs', async () => {
    const id = await createTenant(store, 'closing');
    const { users, links } = store.directory;
    const { id: userId } = await joinTenant(store, id, { email: 'in@acme.example' });
    await upsert(id, ['acme']);
    const expiresAt = Date.now() + 1_000_000;
    await links.invite(id, 'admin', { hash: 'open', email: 'late@acme.example', expiresAt });
    await links.allowPassword(id, { hash: 'reset', email: 'in@acme.example', expiresAt });
    const during: unknown[] = [];
    const attempts: Promise<void>[] = [];
    const attempt = async () => {
      during.push(await users.tenantsOf(userId));
      for (const hash of ['open', 'reset']) {
        const redeemed = links.redeem(hash, { newPassword: 'p' }, Date.now(), 'r');
        during.push(await redeemed.catch((error: unknown) => error));
      }
    };
    await store.directory.removeTenant(id, (table) => {
      if (table === 'account') attempts.push(attempt());
    });
    await Promise.all(attempts);
    expect(during).toEqual([[], expect.any(LinkNotValid), expect.any(LinkNotValid)]);
    expect(await users.find({ email: 'late@acme.example' })).toBeUndefined();
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
