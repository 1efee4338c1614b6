import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { makeDirectory, UnfinishedFile } from './durable-files.js';

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

const LOOK_EVERY_MS = 200;

/** Copies a database into an empty file, in a thread of its own, so that this one can tell how far it is. */
export async function vacuumInThread(
  file: string,
  into: string,
  report: (bytes: number, total: number) => void,
): Promise<void> {
  const total = statSync(file).size;
  const worker = new Worker(new URL('./vacuum-worker.js', import.meta.url), { workerData: { file, into } });
  // Another backup to the same name may have taken the file away; that is told at the end.
  const written = () => statSync(into, { throwIfNoEntry: false })?.size ?? 0;
  const timer = setInterval(() => report(Math.min(written(), total - 1), total), LOOK_EVERY_MS);
  try {
    await once(worker, 'exit');
  } finally {
    clearInterval(timer);
  }
  report(total, total);
}
