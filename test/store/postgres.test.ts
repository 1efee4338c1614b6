import { openStore } from '../../dist/store/open-store.js';
import { freshPostgres } from '../support/databases.js';
import { describeDirectory } from './directory-contract.js';
import { type DatabaseUnderTest, describeStore } from './store-contract.js';

async function freshDatabase(): Promise<DatabaseUnderTest> {
  const { url, remove } = await freshPostgres();
  return { open: (options) => openStore({ database: url, ...options }), remove };
}

describeStore('PostgreSQL', freshDatabase);
describeDirectory('PostgreSQL', freshDatabase);
