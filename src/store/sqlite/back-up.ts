import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** What servers left that were killed while they made a backup; the names of their backups are never used again. */
export function discardUnfinished(directory: string): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory)) {
    // SQLite writes a journal beside it for a moment.
    if (/^account-sync-schema-.*\.unfinished(-journal)?$/.test(name))
      rmSync(join(directory, name), { force: true });
  }
}

/** Reads in one snapshot, beside which others write. Not prepared: a statement would keep the connection open. */
export function vacuumInto(db: DatabaseSyncInstance, file: string): void {
  db.exec(`vacuum into '${file.replaceAll("'", "''")}'`);
}
