import { rm } from 'node:fs/promises';
import { PostgresServer } from './postgres/postgres-server.js';
import { freshDirectory, type Settings } from './service.js';

/** An empty database for the program to use. */
export interface Database {
  /** For `openStore`. */
  readonly url: string;
  /** For the program's environment. */
  readonly settings: Settings;
  remove(): Promise<void>;
}

/** For `describe.each`: a test body that holds on every database. */
export const databases = [
  ['SQLite', freshSqlite],
  ['PostgreSQL', freshPostgres],
] as const;

export async function freshSqlite(): Promise<Database> {
  const dataDir = await freshDirectory();
  return {
    url: `sqlite:${dataDir}`,
    settings: { ACCOUNT_SYNC_DATA_DIR: dataDir },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

export async function freshPostgres(): Promise<Database> {
  const server = await PostgresServer.start();
  const url = await server.createDatabase();
  return { url, settings: { DATABASE_URL: url }, remove: () => server.remove() };
}
