import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { type Kysely, sql } from 'kysely';
import { AccountReader } from '../account-reader.js';
import { Directory } from '../directory.js';
import { GroupCommit, type QueueLimits } from '../group-commit.js';
import { migrate } from '../migrate.js';
import type { Migration } from '../migrations/all-migrations.js';
import { type Store, StoreUnusable } from '../store.js';
import type { Tables } from '../tables.js';
import { backUp } from './back-up.js';
import { openConnection } from './connection.js';
import { usableDirectory } from './data-directory.js';
import { kyselyOver } from './kysely-database.js';
import { lockForServer } from './server-lock.js';
import { WriterThread } from './writer-thread.js';

export const DATABASE_FILE = 'account-sync.db';

export interface SqliteOptions {
  readonly dataDir: string;
  /** Whether this process serves requests: only one at a time may. */
  readonly serving: boolean;
  readonly queueLimits: QueueLimits;
  readonly migrations: readonly Migration[];
}

export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { serving, queueLimits } = options;
  const dataDir = usableDirectory(options.dataDir);
  const file = join(dataDir, DATABASE_FILE);
  let lock: ReturnType<typeof lockForServer> | undefined;
  try {
    if (serving) lock = lockForServer(dataDir);
    // Made before SQLite would make it, which lets everybody read it; the files beside it take its mode.
    closeSync(openSync(file, 'a', 0o600));
    const connection = openConnection(file);
    const db = kyselyOver(connection);
    await migrateFile(db, connection, { ...options, dataDir }).catch(async (error) => {
      await db.destroy();
      throw error;
    });
    const writer = new WriterThread(file);
    // At once: later, a newer version may have been built in the place of the code it runs.
    if (serving) writer.start();
    return sqliteStore(file, db, writer, queueLimits, () => lock?.release());
  } catch (error) {
    lock?.release();
    const { errcode, code, message } = error as Error & { errcode?: number; code?: string };
    if (errcode === undefined && code === undefined) throw error;
    throw new StoreUnusable(`The database ${file} cannot be used: ${message}.`, { cause: error });
  }
}

function sqliteStore(
  file: string,
  db: Kysely<Tables>,
  writer: WriterThread,
  limits: QueueLimits,
  release: () => void,
): Store {
  const directory = new Directory(db);
  const reader = new AccountReader(db);
  // One file takes one writer, so everything stands in one queue.
  const writes = new GroupCommit((group) => writer.write(group), { limits, laneOf: () => 0, width: 1 });
  return {
    location: `SQLite, ${file}`,
    directory,
    upsert: (request) => writes.submit(request),
    findAccount: (tenantId, accountId) => reader.find(tenantId, accountId),
    history: (tenantId, accountId) => reader.history(tenantId, accountId),
    fieldValues: (tenantId, field) => reader.fieldValues(tenantId, field),
    recordKeyUse: (uses) => writer.recordKeyUse(uses),
    check: async () => {
      await directory.version();
    },
    close: async () => {
      await writes.idle();
      await writer.close();
      await db.destroy();
      release();
    },
  };
}

function migrateFile(
  db: Kysely<Tables>,
  connection: DatabaseSyncInstance,
  { dataDir, serving, migrations }: SqliteOptions,
): Promise<void> {
  return migrate(db, {
    migrations,
    dialect: 'sqlite',
    begin: async (transaction) => {
      await sql`begin immediate`.execute(transaction);
    },
    backUp: (version) => {
      // A command may not migrate under a running server, which has the tables of its own version in mind.
      if (!serving) lockForServer(dataDir).release();
      const now = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
      const name = `account-sync-schema-${version}-${now}.db`;
      backUp(connection, join(dataDir, 'backups', name));
    },
  });
}
