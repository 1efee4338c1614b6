import { accessSync, constants, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_QUEUE_LIMITS, type QueueLimits } from './group-commit.js';
import { allMigrations, type Migration } from './migrations/all-migrations.js';
import { openSqliteStore } from './sqlite/open-sqlite-store.js';
import { type Store, StoreUnusable } from './store.js';

export interface OpenOptions {
  readonly dataDir: string;
  /** True in the server, of which a data directory takes one; false in commands beside it. */
  readonly serving?: boolean;
  readonly queueLimits?: QueueLimits;
  readonly migrations?: readonly Migration[];
}

/** Opens the database, made and migrated where needed; rejects with `StoreUnusable` where it cannot. */
export async function openStore(options: OpenOptions): Promise<Store> {
  const dataDir = usableDirectory(resolve(options.dataDir));
  return openSqliteStore({
    serving: false,
    queueLimits: DEFAULT_QUEUE_LIMITS,
    migrations: allMigrations,
    ...options,
    dataDir,
  });
}

function usableDirectory(dataDir: string): string {
  try {
    // Only its owner may look inside: the accounts are other people's.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
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
