import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { makeDirectory, UnfinishedFile } from './durable-files.js';

/** Copies the whole database as it is now. The file gets its name only once it is complete and on disk. */
export function backUp(db: DatabaseSyncInstance, file: string): void {
  makeDirectory(dirname(file));
  const copy = new UnfinishedFile(file);
  try {
    vacuumInto(db, copy.path);
    copy.finish();
  } catch (error) {
    // A full disk may be the cause, so the incomplete file must not keep its space.
    copy.discard();
    throw error;
  }
}

/** Removes incomplete backups of servers that were killed while writing one. No later backup has the same name. */
export function discardUnfinished(directory: string): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory)) {
    // SQLite may have left the journal of the file as well.
    if (/^account-sync-schema-.*\.unfinished(-journal)?$/.test(name))
      rmSync(join(directory, name), { force: true });
  }
}

/** Reads in one snapshot; writers are not blocked. Not a prepared statement, which would keep the connection open. */
export function vacuumInto(db: DatabaseSyncInstance, file: string): void {
  db.exec(`vacuum into '${file.replaceAll("'", "''")}'`);
}

const REPORT_INTERVAL_MS = 200;

/** Copies a database into an empty file, in a separate thread, so that this thread can report the progress. */
export async function vacuumInThread(
  file: string,
  into: string,
  report: (bytes: number, total: number) => void,
): Promise<void> {
  const total = statSync(file).size;
  const worker = new Worker(new URL('./vacuum-worker.js', import.meta.url), { workerData: { file, into } });
  // Another backup to the same name may have removed the file; `UnfinishedFile.finish` reports that.
  const written = () => statSync(into, { throwIfNoEntry: false })?.size ?? 0;
  const timer = setInterval(() => report(Math.min(written(), total - 1), total), REPORT_INTERVAL_MS);
  try {
    await once(worker, 'exit');
  } finally {
    clearInterval(timer);
  }
  report(total, total);
}
