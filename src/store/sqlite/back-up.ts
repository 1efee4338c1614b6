import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { makeDirectory } from './make-directory.js';
import { syncPath } from './sync-path.js';

/** A whole copy of the database as it is now, on disk under its name only once it is complete. */
export function backUp(db: DatabaseSyncInstance, file: string): void {
  const directory = dirname(file);
  makeDirectory(directory);
  const unfinished = `${file}.unfinished`;
  // SQLite writes over nothing: not even over what it was killed in a moment ago.
  rmSync(unfinished, { force: true });
  try {
    db.prepare('vacuum into ?').run(unfinished);
    syncPath(unfinished);
  } catch (error) {
    // It would keep the space that may be what it lacked.
    rmSync(unfinished, { force: true });
    throw error;
  }
  renameSync(unfinished, file);
  syncPath(directory);
}
