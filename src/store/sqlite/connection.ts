import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';

/** How long the writer waits while another connection or process writes. Our own transactions take milliseconds. */
const WAIT_MS = 2_000;
/**
 * The same for the event loop, which is not blocked meanwhile: while the disk stalls, a commit of the writer takes
 * seconds.
 */
export const EVENT_LOOP_WAIT_MS = 10_000;
/**
 * The same for jobs and commands, which keep neither requests nor the event loop waiting. SQLite has no queue for its
 * lock, it only tries again, and a server that stores large batches without pause rarely leaves the lock free.
 */
export const PATIENT_MS = 30_000;

/** Opens every connection of the service: durability is a setting of each connection, and drivers default to less. */
export function openConnection(
  file: string,
  { cacheKiB = 32_768, waitMs = WAIT_MS } = {},
): DatabaseSyncInstance {
  const db = new DatabaseSync(file, { timeout: waitMs });
  db.exec(`
    -- Of a new database. A change of an account costs a page in the log and later one in the file: with 2 KiB instead of
    -- SQLite's default of 4, batches that change accounts at random are a tenth faster.
    pragma page_size = 2048;
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    -- Overwrites the values of deleted accounts within their pages.
    pragma secure_delete = fast;
    pragma cache_size = -${cacheKiB};
    pragma wal_autocheckpoint = 20000;
  `);
  return db;
}

/**
 * Opens a connection that only reads. It waits too: the last connection of a database locks the whole file for a moment
 * when it closes. That can be long after `close`, because the driver keeps the files open until its statements have been
 * garbage-collected.
 */
export function openReadOnly(file: string): DatabaseSyncInstance {
  return new DatabaseSync(file, { readOnly: true, timeout: PATIENT_MS });
}
