import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Kysely } from 'kysely';
import { AccountReader } from '../account-reader.js';
import { Directory } from '../directory.js';
import { GroupCommit, type QueueLimits } from '../group-commit.js';
import { migrate } from '../migrate.js';
import type { Migration } from '../migrations/all-migrations.js';
import { type Store, StoreUnusable } from '../store.js';
import type { Tables } from '../tables.js';
import { backUp } from './back-up.js';
import { openConnection } from './connection.js';
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
  const { dataDir, serving, queueLimits, migrations } = options;
  const file = join(dataDir, DATABASE_FILE);
  let lock: ReturnType<typeof lockForServer> | undefined;
  try {
    if (serving) lock = lockForServer(dataDir);
    // Made before SQLite would make it, which lets everybody read it; the files beside it take its mode.
    closeSync(openSync(file, 'a', 0o600));
    const connection = openConnection(file);
    const db = kyselyOver(connection);
    await migrateFile(db, connection, dataDir, migrations).catch(async (error) => {
      await db.destroy();
      throw error;
    });
    return sqliteStore(file, db, queueLimits, () => lock?.release());
  } catch (error) {
    lock?.release();
    if (error instanceof StoreUnusable) throw error;
    const { message } = error as Error;
    throw new StoreUnusable(`The database ${file} cannot be used: ${message}.`, { cause: error });
  }
}

function sqliteStore(file: string, db: Kysely<Tables>, limits: QueueLimits, release: () => void): Store {
  const directory = new Directory(db);
  const reader = new AccountReader(db);
  const writer = new WriterThread(file);
  const writes = new GroupCommit((group) => writer.write(group), limits);
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
  dataDir: string,
  migrations: readonly Migration[],
): Promise<void> {
  return migrate(db, {
    migrations,
    begin: 'begin immediate',
    backUp: (version) => {
      const now = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
      const name = `account-sync-schema-${version}-${now}.db`;
      backUp(connection, join(dataDir, 'backups', name));
    },
  });
}
