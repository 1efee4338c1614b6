import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type PostgresAddress, parseDatabaseUrl } from '../database-url.js';
import { StoreUnusable } from '../errors.js';
import { UnfinishedFile } from '../sqlite/durable-files.js';
import { existingDatabaseFile } from '../sqlite/open-sqlite-database.js';
import { addChecksums } from './backup-checksums.js';
import { type BackupContents, examineBackup, sha256Of } from './backup-file.js';
import { copyDatabase } from './copy-database.js';

export interface Backup extends BackupContents {
  readonly file: string;
  readonly bytes: number;
  /** The checksum of the whole file. */
  readonly sha256: string;
}

/** `what` is text for the user; `done` and `total` are rows or KiB. */
export type BackupProgress = (what: string, done: number, total: number) => void;

export interface BackupListener {
  readonly report: BackupProgress;
  /** Called once with the location of the database. */
  onOpened(location: string): void;
}

const KIB = 1024;

/**
 * Writes a consistent snapshot of a database into one file, which is an SQLite database also for PostgreSQL. Servers
 * may run meanwhile. The file gets its name only once it is complete, checked and on disk.
 */
export async function writeBackup(database: string, path: string, listener: BackupListener): Promise<Backup> {
  const file = resolve(path);
  if (existsSync(file)) {
    throw new StoreUnusable(`${file} exists already and is not overwritten. Name another file.`);
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
    return copyIntoFile(address, into, listener);
  }
  const file = existingDatabaseFile(address.dataDir);
  listener.onOpened(`SQLite, ${file}`);
  const { vacuumInThread } = await import('../sqlite/copy-file.js');
  await vacuumInThread(file, into, (done, total) =>
    listener.report('writing KiB', Math.floor(done / KIB), Math.floor(total / KIB)),
  ).catch((error) => {
    throw new StoreUnusable(`The database ${file} cannot be copied: ${(error as Error).message}.`);
  });
}

/** Copies a snapshot of PostgreSQL into the file, and compares the two. */
async function copyIntoFile(
  address: PostgresAddress,
  into: string,
  { report, onOpened }: BackupListener,
): Promise<void> {
  const { openPostgresSnapshot } = await import('./postgres-endpoint.js');
  const { openSqliteFile } = await import('./sqlite-endpoint.js');
  const from = await openPostgresSnapshot(address);
  try {
    onOpened(from.location);
    const to = await openSqliteFile(into);
    try {
      await copyDatabase(from, to, ({ phase, table, done, total }) =>
        report(`${phase === 'copy' ? 'copying' : 'comparing'} ${table}`, done, total),
      );
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}
