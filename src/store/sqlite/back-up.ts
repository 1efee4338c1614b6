import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** A whole copy of the database as it is now, on disk under its name only once it is complete. */
export function backUp(db: DatabaseSyncInstance, file: string): void {
  const directory = dirname(file);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unfinished = `${file}.unfinished`;
  try {
    db.prepare('vacuum into ?').run(unfinished);
    sync(unfinished);
  } catch (error) {
    // It would keep the space that may be what it lacked.
    rmSync(unfinished, { force: true });
    throw error;
  }
  renameSync(unfinished, file);
  sync(directory);
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
