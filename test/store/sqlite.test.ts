import { rm } from 'node:fs/promises';
import { openStore } from '../../dist/store/open-store.js';
import { freshDirectory } from '../support/service.js';
import { describeDirectory } from './directory-contract.js';
import { type DatabaseUnderTest, describeStore } from './store-contract.js';

async function freshSqlite(): Promise<DatabaseUnderTest> {
  const dataDir = await freshDirectory();
  return {
    open: (options) => openStore({ database: `sqlite:${dataDir}`, ...options }),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

describeStore('SQLite', freshSqlite);
describeDirectory('SQLite', freshSqlite);
