import { afterAll, beforeAll } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { describeDirectory } from './directory-contract.js';
import { type DatabaseUnderTest, describeStore } from './store-contract.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
}, 60_000);
afterAll(() => server.remove());

async function freshDatabase(): Promise<DatabaseUnderTest> {
  const database = await server.createDatabase();
  return {
    open: (options) => openStore({ database, ...options }),
    remove: async () => {},
  };
}

describeStore('PostgreSQL', freshDatabase);
describeDirectory('PostgreSQL', freshDatabase);
