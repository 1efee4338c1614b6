import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';

/** How long a statement waits for another connection or process that writes; ours write for milliseconds. */
const BUSY_TIMEOUT_MS = 2_000;

/** Every connection is opened here: durability is a setting of the connection, and drivers default to less. */
export function openConnection(file: string, { cacheKiB = 32_768 } = {}): DatabaseSyncInstance {
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  db.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma cache_size = -${cacheKiB};
    pragma wal_autocheckpoint = 20000;
  `);
  return db;
}
