import { constants, copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { StoreUnusable } from '../errors.js';
import { makeDirectory, syncPath } from './durable-files.js';
import { isBusy } from './sqlite-errors.js';

/** Suffixes of the files that SQLite may have left next to a database. */
const SIDE_FILES = ['-wal', '-journal', '-shm'];

/**
 * Replaces a database that no server uses by a complete file. The old database is copied to `kept` first. A crash at
 * any point leaves either the old or the new database complete: one `rename` exchanges them, after the side files of
 * the old one are removed and while an exclusive lock keeps writers out.
 */
export function replaceDatabase(file: string, by: string, kept: string): void {
  makeDirectory(dirname(kept));
  // Copied before SQLite opens the database: it deletes a log that does not match a damaged file.
  copy(`${file}-wal`, `${kept}-wal`);
  syncCopy(`${kept}-wal`);
  let locked: DatabaseSyncInstance | undefined;
  try {
    locked = lockDatabase(file);
    if (locked !== undefined) rmSync(`${kept}-wal`, { force: true });
    const modifiedBefore = modifiedAt(file);
    copy(file, kept);
    if (locked !== undefined) lockAgain(locked, file, modifiedBefore);
    syncCopy(kept);
    syncPath(by);
    for (const suffix of SIDE_FILES) rmSync(`${file}${suffix}`, { force: true });
    renameSync(by, file);
    syncPath(dirname(file));
  } catch (error) {
    // If SQLite has deleted the log, the copy of the log is the only one left and has to stay.
    if (existsSync(`${file}-wal`)) rmSync(`${kept}-wal`, { force: true });
    throw error;
  } finally {
    locked?.close();
  }
}

/**
 * Moves the log into the file and takes an exclusive lock. A process that opened the old file before cannot write
 * later:
 * SQLite notices that the file was renamed. Undefined if there is no database, or if it is too damaged to be locked.
 */
function lockDatabase(file: string): DatabaseSyncInstance | undefined {
  if (!existsSync(file)) return undefined;
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('pragma journal_mode = delete');
    db.exec('begin exclusive');
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) throw inUse(file);
    return undefined;
  }
}

/**
 * Takes the lock again after the copy: closing the copied file released all locks of this process on it (POSIX). What
 * another process wrote since would be neither in the copy nor in the new file, so a change of the file is an error.
 */
function lockAgain(db: DatabaseSyncInstance, file: string, modifiedBefore: bigint | undefined): void {
  try {
    db.exec('rollback');
    db.exec('begin exclusive');
  } catch (error) {
    throw isBusy(error) ? inUse(file) : error;
  }
  if (modifiedAt(file) !== modifiedBefore || existsSync(`${file}-wal`)) throw inUse(file);
}

function modifiedAt(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
}

function inUse(file: string): StoreUnusable {
  return new StoreUnusable(`Another command is using ${file}. Wait until it ends, and try again.`);
}

function copy(file: string, to: string): void {
  if (existsSync(file)) copyFileSync(file, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

function syncCopy(file: string): void {
  for (const path of [file, dirname(file)]) if (existsSync(path)) syncPath(path);
}
