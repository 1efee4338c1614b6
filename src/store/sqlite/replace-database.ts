import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { StoreUnusable } from '../store.js';
import { syncPath } from './unfinished-file.js';

const SQLITE_BUSY = 5;

/** What SQLite may have left beside a database. */
const BESIDE = ['-wal', '-journal', '-shm'];

/**
 * Puts a complete file in the place of a database that nobody serves from, after a copy of it was made at `kept`. At
 * every moment the one or the other is there whole: they change places in one step, when nothing of the old one is
 * beside it any more, and nobody can begin to write to it.
 */
export function replaceDatabase(file: string, by: string, kept: string): void {
  const closed = existsSync(file) ? closeOff(file) : undefined;
  try {
    keep(file, kept);
    for (const end of BESIDE) rmSync(`${file}${end}`, { force: true });
    syncPath(by);
    renameSync(by, file);
    syncPath(dirname(file));
  } finally {
    closed?.close();
  }
}

/**
 * Moves what is in the log into the file, and keeps everybody off it. Whoever has opened the old file before cannot
 * write later: SQLite sees that the file has another name. Undefined where the file is too damaged for it.
 */
function closeOff(file: string): DatabaseSyncInstance | undefined {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('pragma journal_mode = delete');
    db.exec('begin exclusive');
    return db;
  } catch (error) {
    db.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) return undefined;
    throw new StoreUnusable(`Another command is using ${file}. Wait for its end, and try again.`);
  }
}

/** With its log, where it was too damaged to be closed. */
function keep(file: string, kept: string): void {
  mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
  for (const end of ['', '-wal', '-journal']) {
    if (!existsSync(`${file}${end}`)) continue;
    copyFileSync(`${file}${end}`, `${kept}${end}`, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    syncPath(`${kept}${end}`);
  }
  syncPath(dirname(kept));
}
