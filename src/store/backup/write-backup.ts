import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseDatabaseUrl } from '../database-url.js';
import { existingDatabaseFile } from '../sqlite/open-sqlite-database.js';
import { UnfinishedFile } from '../sqlite/unfinished-file.js';
import { StoreUnusable } from '../store.js';
import { addChecksums } from './backup-checksums.js';
import { type BackupContents, examineBackup, sha256Of } from './backup-file.js';

export interface Backup extends BackupContents {
  readonly file: string;
  readonly bytes: number;
  /** Of the whole file. */
  readonly sha256: string;
}

/** `what` is said to people; rows or KiB of it are done. */
export type BackupProgress = (what: string, done: number, total: number) => void;

export interface BackupListener {
  readonly report: BackupProgress;
  /** Told once where the database is that is written. */
  onOpened(location: string): void;
}

const KIB = 1024;

/**
 * Writes all that a database holds at one moment into one file, an SQLite database from whichever database it comes.
 * Servers go on meanwhile. The file has its name only once it is complete, checked and on disk.
 */
export async function writeBackup(database: string, path: string, listener: BackupListener): Promise<Backup> {
  const file = resolve(path);
  if (existsSync(file)) {
    throw new StoreUnusable(`${file} exists already, and stays as it is. Name another file.`);
  }
  const copy = createFile(file);
  try {
    await fill(database, copy.path, listener);
    addChecksums(copy.path, (done, total) => listener.report('adding checksums, rows', done, total));
    const contents = await examineBackup(copy.path);
    const bytes = statSync(copy.path).size;
    const reportBytes = (done: number) =>
      listener.report('reading it back, KiB', Math.ceil(done / KIB), Math.ceil(bytes / KIB));
    const sha256 = await sha256Of(copy.path, reportBytes);
    copy.finish();
    return { file, ...contents, bytes, sha256 };
  } catch (error) {
    copy.discard();
    throw error;
  }
}

function createFile(file: string): UnfinishedFile {
  try {
    return new UnfinishedFile(file);
  } catch (error) {
    throw new StoreUnusable(`${file} cannot be written: ${(error as Error).message}.`, { cause: error });
  }
}

async function fill(database: string, into: string, listener: BackupListener): Promise<void> {
  const address = parseDatabaseUrl(database);
  if (address.kind === 'postgres') {
    const { copyIntoFile } = await import('./copy-into-file.js');
    return copyIntoFile(address, into, listener);
  }
  const file = existingDatabaseFile(address.dataDir);
  listener.onOpened(`SQLite, ${file}`);
  const { vacuumInThread } = await import('../sqlite/vacuum-thread.js');
  await vacuumInThread(file, into, (done, total) =>
    listener.report('writing KiB', Math.floor(done / KIB), Math.floor(total / KIB)),
  ).catch((error) => {
    throw new StoreUnusable(`The database ${file} cannot be copied: ${(error as Error).message}.`);
  });
}
