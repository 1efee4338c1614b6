import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Database, emptyPostgres, freshSqlite } from './databases.js';
import { queryOnce } from './postgres/postgres-server.js';

/** The key of the tenant `default` in each database. */
export const RELEASED_KEY = 'the-key-of-the-upgrade-fixtures-0123456789';

/** Version, database, schema version. */
export const RELEASED = [
  ['0.1.0', 'sqlite', 1],
  ['0.2.0', 'postgres', 1],
  ['0.4.0', 'sqlite', 3],
  ['0.4.0', 'postgres', 3],
  ['0.6.0', 'sqlite', 4],
  ['0.6.0', 'postgres', 4],
] as const;
export type ReleasedOn = (typeof RELEASED)[number][1];

/** Creates a database with the contents that a released version wrote. */
export async function releasedDatabase(version: string, kind: ReleasedOn): Promise<Database> {
  const database = await (kind === 'sqlite' ? freshSqlite() : emptyPostgres());
  const file = new URL(`../fixtures/upgrade/${version}-${kind}.sql`, import.meta.url);
  await runStatements(database, await readFile(file, 'utf8'));
  return database;
}

/** Runs SQL directly on the database, without the program. */
export async function runStatements(
  { url, settings }: Pick<Database, 'url' | 'settings'>,
  statements: string,
): Promise<void> {
  if (settings.DATABASE_URL !== undefined) {
    await queryOnce(url, statements);
    return;
  }
  const file = join(settings.ACCOUNT_SYNC_DATA_DIR ?? '', 'account-sync.db');
  // A command that has run in a thread may still be closing its connection, and a server may be writing.
  const db = new DatabaseSync(file, { timeout: 30_000 });
  db.exec(statements);
  db.close();
}
