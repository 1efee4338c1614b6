import { dirname } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { makeDirectory } from './make-directory.js';
import { UnfinishedFile } from './unfinished-file.js';

/** A whole copy of the database as it is now, on disk under its name only once it is complete. */
export function backUp(db: DatabaseSyncInstance, file: string): void {
  makeDirectory(dirname(file));
  const copy = new UnfinishedFile(file);
  try {
    vacuumInto(db, copy.path);
    copy.finish();
  } catch (error) {
    // It would keep the space that may be what it lacked.
    copy.discard();
    throw error;
  }
}

/** Reads in one snapshot, beside which others write. Not prepared: a statement would keep the connection open. */
export function vacuumInto(db: DatabaseSyncInstance, file: string): void {
  db.exec(`vacuum into '${file.replaceAll("'", "''")}'`);
}
