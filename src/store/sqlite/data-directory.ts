import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { StoreUnusable } from '../store.js';
import { makeDirectory } from './make-directory.js';

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
