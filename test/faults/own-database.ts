import { onTestFinished } from 'vitest';
import { type Database, freshSqlite } from '../support/databases.js';
import { PostgresServer } from '../support/postgres/postgres-server.js';

/** For `describe.each`: databases that share no server with other tests. */
export const ownDatabases = [
  ['SQLite', freshSqlite],
  ['PostgreSQL', ownPostgres],
] as const;

async function ownPostgres(): Promise<Database> {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  const url = await server.createDatabase();
  return { url, settings: { DATABASE_URL: url }, remove: async () => {} };
}
