import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstStart } from '../../dist/cli/serve/first-start.js';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { type Database, freshSqlite } from '../support/databases.js';

describe('a start', () => {
  let database: Database;
  let store: Store;
  beforeEach(async () => {
    database = await freshSqlite();
    store = await openStore({ database: database.url });
  });
  afterEach(async () => {
    await store.close();
    await database.remove();
  });

  it.each([[[]], [['demo']]])('creates the tenant default next to %j', async (names) => {
    for (const name of names) await store.directory.createTenant(name, {}, 1);
    const { bearer, notes } = await firstStart(store.directory, undefined);
    const invite = 'Invite people: npx account-sync user invite default <email> --role admin';
    expect([bearer?.slice(0, 4), notes]).toEqual([
      'acs_',
      [bearer, 'Save it now: it is shown only once.', invite],
    ]);
    expect(await store.directory.tenantNames()).toEqual(['default', ...names]);
  });

  it('does not create the tenant default again after its deletion', async () => {
    await store.directory.createTenant('acme', {}, 1);
    const key = 'an-operator-brings-this-key-0123456789';
    expect(await firstStart(store.directory, key)).toEqual({
      notes: [
        'ACCOUNT_SYNC_API_KEY is ignored: it is used only at the first start.',
        'none: the tenant default does not exist. List the tenants: npx account-sync tenant list',
        'Create a key: npx account-sync key create <tenant>',
      ],
    });
    expect(await store.directory.tenantNames()).toEqual(['acme']);
  });
});
