import { closeSync, existsSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { type Kysely, sql } from 'kysely';
import { freeSpace, MIB, NO_SPACE } from '../disk-space.js';
import { MissingDatabase, StoreUnusable } from '../errors.js';
import { migrate, requireTables } from '../schema/migrate.js';
import type { Migration, MigrationProgress } from '../schema/migrations.js';
import type { Tables } from '../schema/tables.js';
import { EVENT_LOOP_WAIT_MS, openConnection, PATIENT_MS } from './connection.js';
import { backUp, discardUnfinished } from './copy-file.js';
import { lockForServer, usableDirectory } from './data-directory.js';
import { kyselyOver } from './kysely-database.js';

export const DATABASE_FILE = 'account-sync.db';

export interface SqliteDatabaseOptions {
  readonly dataDir: string;
  /** Whether to take the server lock, which only one process can hold. */
  readonly lock: boolean;
  /** Whether to throw `MissingDatabase` instead of creating a database. */
  readonly mustExist: boolean;
  readonly migrations: readonly Migration[];
  readonly onMigration?: ((progress: MigrationProgress) => void) | undefined;
  /** Called for each statement that fails. */
  readonly onFailure?: () => void;
}

export interface SqliteDatabase {
  readonly file: string;
  readonly db: Kysely<Tables>;
  close(): Promise<void>;
}

/** The file of an existing database. Throws `MissingDatabase` if there is none, and creates nothing. */
export function existingDatabaseFile(dataDir: string): string {
  const file = join(resolve(dataDir), DATABASE_FILE);
  if (existsSync(file)) return file;
  throw new MissingDatabase(`There is no database: ${file} does not exist.`);
}

/** Opens the database; creates and migrates it if needed. */
export async function openSqliteDatabase(options: SqliteDatabaseOptions): Promise<SqliteDatabase> {
  if (options.mustExist) existingDatabaseFile(options.dataDir);
  const dataDir = usableDirectory(options.dataDir);
  const file = join(dataDir, DATABASE_FILE);
  let lock: ReturnType<typeof lockForServer> | undefined;
  try {
    if (options.lock) lock = lockForServer(dataDir);
    // SQLite would create the file readable for all users. Its log and journal get the mode of this file.
    closeSync(openSync(file, 'a', 0o600));
    const waitMs = options.lock ? EVENT_LOOP_WAIT_MS : PATIENT_MS;
    const connection = openConnection(file, { waitMs });
    const db = kyselyOver(connection, { onFailure: options.onFailure, waitMs });
    await migrateFile(db, connection, { ...options, dataDir }).catch(async (error) => {
      await db.destroy();
      throw error;
    });
    // From here on `kyselyOver` waits instead, without blocking the event loop.
    connection.exec('pragma busy_timeout = 0');
    const close = async () => {
      await db.destroy();
      lock?.release();
    };
    return { file, db, close };
  } catch (error) {
    lock?.release();
    const { errcode, code, message } = error as Error & { errcode?: number; code?: string };
    if (errcode === undefined && code === undefined) throw error;
    const free = await freeSpace(dataDir);
    const space = free < NO_SPACE ? ` Its disk has ${Math.floor(free / MIB)} MiB left: free some space.` : '';
    throw new StoreUnusable(`The database ${file} cannot be used: ${message}.${space}`, { cause: error });
  }
}

async function migrateFile(
  db: Kysely<Tables>,
  connection: DatabaseSyncInstance,
  { dataDir, lock, mustExist, migrations, onMigration: onProgress }: SqliteDatabaseOptions,
): Promise<void> {
  if (mustExist) await requireTables(db, join(dataDir, DATABASE_FILE));
  return migrate(db, {
    migrations,
    dialect: 'sqlite',
    onProgress,
    begin: async (transaction) => {
      await sql`begin immediate`.execute(transaction);
    },
    backUp: (version) => {
      const backups = join(dataDir, 'backups');
      // A command must not migrate while a server runs: the server expects the schema of its own version.
      if (lock) discardUnfinished(backups);
      else lockForServer(dataDir).release();
      const now = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
      const name = `account-sync-schema-${version}-${now}.db`;
      backUp(connection, join(backups, name));
    },
  });
}
