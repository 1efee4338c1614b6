import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { PostgresServer, queryOnce } from '../support/postgres/postgres-server.js';
import { createTenant } from './store-contract.js';

describe('on a PostgreSQL without statistics', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start({ autovacuum: 'off' });
  }, 60_000);
  afterAll(() => server.remove());

  it('an account with thousands of changes is deleted', async () => {
    const database = await server.createDatabase();
    const store = await openStore({ database });
    const tenantId = await createTenant(store, 'acme');
    const write = (patches: readonly { accountId: string; fields: { licenses?: number }; erase?: true }[]) =>
      store.upsert({ tenantId, patches, requestId: 'r', keyId: 'k', at: 1, bytes: 1 });
    await write(Array.from({ length: 5_000 }, (_, licenses) => ({ accountId: 'a', fields: { licenses } })));
    await store.chores.eraseTraces(tenantId, 'a');
    await write([{ accountId: 'a', fields: {}, erase: true }]);
    const kinds = 'select kind, count(*)::int as changes from account_history group by kind order by kind';
    expect(await queryOnce(database, kinds)).toEqual([
      { kind: 'deleted', changes: 1 },
      { kind: 'erased created', changes: 1 },
      { kind: 'erased updated', changes: 4_999 },
    ]);
    await store.close();
  });
});
