import { accessSync, constants } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { StoreUnusable } from '../errors.js';
import { makeDirectory } from './durable-files.js';
import { isBusy } from './sqlite-errors.js';

/** Made where it is missing. */
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
 * A server keeps the lock; whoever only tries it, as `doctor` does, has it for a moment. Without waiting such a moment out, two
 * that try at once would both be refused.
 */
const WAIT_MS = 250;

/** Keeps a second server off a data directory. The lock is the operating system's, so it ends with the process. */
export function lockForServer(dataDir: string): { release(): void } {
  const db = new DatabaseSync(join(dataDir, LOCK_FILE), { timeout: WAIT_MS });
  try {
    // Without a journal beside it, which a full disk has no room for.
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
