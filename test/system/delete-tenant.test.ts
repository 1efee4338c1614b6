import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { issueKey } from '../../dist/store/tenants/keys.js';
import { type Database, databases, freshSqlite } from '../support/databases.js';
import { dumpTables } from '../support/dump-tables.js';
import { run, runJson, start } from '../support/service.js';
import { Screen } from './screen.js';

/** The contents of the tenant to delete. */
const CONTENTS = '2 accounts with all history, 2 keys (1 in use), 1 host (acme.test)';

/** Creates a tenant with accounts, keys and a host, and returns a key. */
async function createTenant(store: Store, name: string): Promise<string> {
  const { directory } = store;
  await directory.createTenant(name, { hosts: [`${name}.test`] }, 1);
  const tenantId = (await directory.findTenant({ name }))?.id ?? Number.NaN;
  const options = { tenantId, scopes: ['sync'], label: '', expiresAt: null } as const;
  const { id: revoked } = await issueKey((key) => directory.keys.add(key), options);
  await directory.keys.revoke(tenantId, revoked, 2);
  const patches = ['a', 'b', 'gone'].map((accountId) => ({ accountId, fields: { name: accountId } }));
  const request = { tenantId, requestId: 'r', senderId: 'k', at: Date.now(), bytes: 1 };
  await store.upsert({ ...request, patches });
  await store.upsert({ ...request, patches: [{ accountId: 'gone', fields: {}, erase: true }] });
  return (await issueKey((key) => directory.keys.add(key), options)).key;
}

describe.each(databases)('tenant delete on %s', (_name, createDatabase) => {
  let database: Database;
  let store: Store;
  beforeEach(async () => {
    database = await createDatabase();
    store = await openStore({ database: database.url });
    await createTenant(store, 'other');
  });
  afterEach(async () => {
    await store.close();
    await database.remove();
  });

  it('deletes nothing without --yes, and shows what it would delete', async () => {
    await createTenant(store, 'acme');
    const before = await dumpTables(database.url);
    const sentence = `This permanently deletes the tenant acme: ${CONTENTS}. Nothing was deleted. Add --yes to delete it.`;
    expect(await run(['tenant', 'delete', 'acme'], database.settings)).toEqual({
      status: 1,
      stdout: '',
      stderr: `Database: ${store.location}\n${sentence}\n`,
    });
    expect(await run(['tenant', 'delete', 'acme', '--json'], database.settings)).toEqual({
      status: 1,
      stdout: '',
      stderr: `${JSON.stringify({ error: sentence })}\n`,
    });
    expect(await dumpTables(database.url)).toEqual(before);
  });

  it('continues an interrupted deletion, and does not change other tenants', async () => {
    const before = await dumpTables(database.url);
    await createTenant(store, 'acme');
    const { id } = (await store.directory.findTenant({ name: 'acme' })) ?? { id: Number.NaN };
    const deleting = start(['tenant', 'delete', 'acme', '--yes'], database.settings);
    const liveKeys = async () =>
      (await store.directory.keys.list(id)).filter(({ revokedAt }) => revokedAt === null).length;
    // First it revokes the keys, and gives servers time to notice.
    await vi.waitFor(async () => expect(await liveKeys()).toBe(0), { timeout: 30_000, interval: 5 });
    deleting.child.kill('SIGKILL');
    await deleting.finished;
    expect(await store.directory.findTenant({ name: 'acme' })).toMatchObject({ hosts: ['acme.test'] });

    const { tenant, removed } = await runJson(database.settings, 'tenant', 'delete', 'acme', '--yes');
    expect([tenant, removed.tenant, removed.account, removed.api_key]).toEqual(['acme', 1, 3, 2]);
    expect(lasting(await dumpTables(database.url))).toEqual(lasting(before));
    expect(await run(['tenant', 'delete', 'acme', '--yes', '--json'], database.settings)).toEqual({
      status: 1,
      stdout: '',
      stderr:
        '{"error":"The tenant acme does not exist. Existing tenants: other. Create it with: account-sync tenant create acme"}\n',
    });
  });
});

describe.skipIf(!Screen.isPossible())('tenant delete in a terminal', () => {
  it('asks for the name, and deletes nothing if it does not match', async () => {
    const { url, settings, remove } = await freshSqlite();
    const store = await openStore({ database: url });
    await createTenant(store, 'acme');
    const asked = async (answer: string) => {
      const screen = new Screen(['tenant', 'delete', 'acme'], settings, 120);
      await screen.shows(/^Type the name of the tenant to delete it:/);
      screen.press(answer);
      return { status: await screen.finished, lines: screen.lines };
    };
    const head = [`Database: ${store.location}`, `This permanently deletes the tenant acme: ${CONTENTS}.`];
    const mismatch = 'The name does not match. Nothing was deleted.';
    expect(await asked('y\r')).toEqual({
      status: 1,
      lines: [...head, 'Type the name of the tenant to delete it: y', mismatch],
    });
    // Ctrl-D closes the input.
    expect(await asked('\u0004')).toEqual({
      status: 1,
      lines: [...head, 'Type the name of the tenant to delete it: ', mismatch],
    });
    expect(await store.directory.tenantNames()).toEqual(['acme']);
    const { status, lines } = await asked('acme\r');
    expect([status, lines.at(-1)]).toEqual([
      0,
      'Deleted the tenant acme. No tenant is left: the next server start creates the tenant default with a new key.',
    ]);
    expect(await store.directory.tenantNames()).toEqual([]);
    await store.close();
    await remove();
  });
});

/** Ignores the sequence table of SQLite and the change counter of the configuration. */
function lasting({
  sqlite_sequence: _,
  configuration: __,
  ...tables
}: Awaited<ReturnType<typeof dumpTables>>) {
  return tables;
}
