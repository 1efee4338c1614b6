import { accessSync, constants } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { StoreUnusable } from '../errors.js';
import { makeDirectory } from './durable-files.js';
import { isBusy } from './sqlite-errors.js';

/** Returns the absolute path of the data directory; creates the directory if it is missing. */
export function usableDirectory(path: string): string {
  const dataDir = resolve(path);
  try {
    makeDirectory(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return dataDir;
  } catch (error) {
    throw new StoreUnusable(
      `The data directory ${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code}). ` +
        'Give this user access to it, or set ACCOUNT_SYNC_DATA_DIR to another directory.',
      { cause: error },
    );
  }
}

export const LOCK_FILE = 'server.lock';

/**
 * A server holds the lock for its whole life, `doctor` only for an instant to test it. Waiting longer than that instant
 * keeps two processes that test the lock at the same time from failing each other.
 */
const WAIT_MS = 250;

/** Prevents a second server on a data directory. The operating system releases the lock when the process ends. */
export function lockForServer(dataDir: string): { release(): void } {
  const db = new DatabaseSync(join(dataDir, LOCK_FILE), { timeout: WAIT_MS });
  try {
    // A journal file could not be created on a full disk.
    db.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    db.close();
    if (!isBusy(error)) throw error;
    throw new StoreUnusable(
      `Another account-sync server is using ${dataDir}. Stop it first, or set ACCOUNT_SYNC_DATA_DIR to another directory.`,
    );
  }
  return { release: () => db.close() };
}
