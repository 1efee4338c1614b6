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

  it.each([[[]], [['demo']]])('makes the tenant default beside %j', async (names) => {
    for (const name of names) await store.directory.createTenant(name, {}, 1);
    const { bearer, notes } = await firstStart(store.directory, undefined);
    expect([bearer?.slice(0, 4), notes]).toEqual(['acs_', [bearer, 'Keep it safe: it is shown only now.']]);
    expect(await store.directory.tenantNames()).toEqual(['default', ...names]);
  });

  it('makes no tenant default where there is another: it was deleted', async () => {
    await store.directory.createTenant('acme', {}, 1);
    const key = 'an-operator-brings-this-key-0123456789';
    expect(await firstStart(store.directory, key)).toEqual({
      notes: [
        'ACCOUNT_SYNC_API_KEY is not in use: it counts at the first start only, and this is a later one.',
        'none shown: there is no tenant default. See the others: npx account-sync tenant list',
        'Make a key: npx account-sync key create <tenant>',
      ],
    });
    expect(await store.directory.tenantNames()).toEqual(['acme']);
  });
});
