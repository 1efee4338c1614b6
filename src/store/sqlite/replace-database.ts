import { constants, copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { StoreUnusable } from '../errors.js';
import { makeDirectory, syncPath } from './durable-files.js';
import { isBusy } from './sqlite-errors.js';

/** What SQLite may have left beside a database. */
const BESIDE = ['-wal', '-journal', '-shm'];

/**
 * Puts a complete file in the place of a database that nobody serves from, after a copy of it was made at `kept`. At
 * every moment the one or the other is there whole: they change places in one step, when nothing of the old one is
 * beside it any more, and nobody can begin to write to it.
 */
export function replaceDatabase(file: string, by: string, kept: string): void {
  makeDirectory(dirname(kept));
  // First of all: where SQLite finds that it does not fit to a damaged file, it throws the log away.
  copy(`${file}-wal`, `${kept}-wal`);
  syncCopy(`${kept}-wal`);
  let closed: DatabaseSyncInstance | undefined;
  try {
    closed = closeOff(file);
    if (closed !== undefined) rmSync(`${kept}-wal`, { force: true });
    const before = timeOf(file);
    copy(file, kept);
    if (closed !== undefined) lockAgain(closed, file, before);
    syncCopy(kept);
    syncPath(by);
    for (const end of BESIDE) rmSync(`${file}${end}`, { force: true });
    renameSync(by, file);
    syncPath(dirname(file));
  } catch (error) {
    // Where the log itself is gone, its copy is all there is.
    if (existsSync(`${file}-wal`)) rmSync(`${kept}-wal`, { force: true });
    throw error;
  } finally {
    closed?.close();
  }
}

/**
 * Moves what is in the log into the file, and keeps everybody off it. Whoever has opened the old file before cannot
 * write later: SQLite sees that the file has another name. Undefined where there is none, or it is too damaged for that.
 */
function closeOff(file: string): DatabaseSyncInstance | undefined {
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
 * To close a file that was copied ends every lock that this process has on it: somebody may have come in between, and
 * what he has written would be neither in the copy nor in the new file.
 */
function lockAgain(db: DatabaseSyncInstance, file: string, before: bigint | undefined): void {
  try {
    db.exec('rollback');
    db.exec('begin exclusive');
  } catch (error) {
    throw isBusy(error) ? inUse(file) : error;
  }
  if (timeOf(file) !== before || existsSync(`${file}-wal`)) throw inUse(file);
}

function timeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
}

function inUse(file: string): StoreUnusable {
  return new StoreUnusable(`Another command is using ${file}. Wait for its end, and try again.`);
}

function copy(file: string, to: string): void {
  if (existsSync(file)) copyFileSync(file, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

function syncCopy(file: string): void {
  for (const path of [file, dirname(file)]) if (existsSync(path)) syncPath(path);
}
