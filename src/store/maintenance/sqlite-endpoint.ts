import { DatabaseSync } from '@photostructure/sqlite';
import { type Kysely, sql } from 'kysely';
import { migrate } from '../schema/migrate.js';
import { allMigrations } from '../schema/migrations.js';
import type { Tables } from '../schema/tables.js';
import { kyselyOver } from '../sqlite/kysely-database.js';
import { openSqliteDatabase } from '../sqlite/open-sqlite-database.js';
import { type CopyEndpoint, type CopySource, feedOffsetOf } from './copy-database.js';

export async function openSqliteEndpoint(dataDir: string, mustExist: boolean): Promise<CopyEndpoint> {
  const { file, db, close } = await openSqliteDatabase({
    dataDir,
    lock: true,
    mustExist,
    migrations: allMigrations,
  });
  return {
    location: `SQLite, ${file}`,
    db,
    continueNumbers: (from) => continueNumbers(db, from),
    close,
  };
}

/**
 * Opens and migrates a database that no other process uses. It keeps its journal in memory, so that it is always one
 * file, and does not sync: the caller syncs the complete file.
 */
export async function openSqliteFile(file: string): Promise<CopyEndpoint> {
  const connection = new DatabaseSync(file);
  connection.exec(
    'pragma journal_mode = delete; pragma journal_mode = memory; pragma synchronous = off; pragma foreign_keys = on',
  );
  const db = kyselyOver(connection);
  const close = () => db.destroy();
  const begin = async (transaction: Kysely<Tables>) => {
    await sql`begin immediate`.execute(transaction);
  };
  try {
    await migrate(db, { migrations: allMigrations, dialect: 'sqlite', begin });
  } catch (error) {
    await close();
    throw error;
  }
  return { location: `SQLite, ${file}`, db, continueNumbers: (from) => continueNumbers(db, from), close };
}

/** Sets the commit order of new changes. SQLite itself continues ids after the highest one that a table has had. */
export async function continueNumbers(db: Kysely<Tables>, from: CopySource): Promise<void> {
  const offset = await feedOffsetOf(from);
  await db
    .updateTable('configuration')
    .set({ feed_turn: sql`(select max(coalesce(max(turn), 0), ${offset}) from change_set)` })
    .execute();
}
