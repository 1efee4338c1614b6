import { DiskFailure } from '../errors.js';

/** The messages of SQLITE_FULL and SQLITE_IOERR: an error that comes from another thread loses its code. */
const MESSAGES = new Set(['database or disk is full', 'disk I/O error']);

/** Returns a `DiskFailure` if the disk is the cause, otherwise the error itself. */
export function asDiskFailure(error: Error): Error {
  // If a thread ends because it cannot open the file, the error of SQLite is the cause of the thread's error.
  const { message } = error.cause instanceof Error ? error.cause : error;
  return MESSAGES.has(message) ? new DiskFailure(message, { cause: error }) : error;
}

const SQLITE_BUSY = 5;
/** Busy, no memory, read-only, I/O error, corrupt, full, cannot open, not a database: not caused by a request. */
const ENVIRONMENT_ERRORS = new Set([SQLITE_BUSY, 7, 8, 10, 11, 13, 14, 26]);

/** Another connection or process holds the lock. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY;
}

/** As `isBusy`, but the statement can be repeated: the transaction has not read anything that was overwritten since. */
export function isLocked(error: unknown): boolean {
  const { errcode, message } = error as { errcode?: number; message?: string };
  // The errors of a statement that returns rows have no code.
  return errcode === undefined ? message === 'database is locked' : errcode === SQLITE_BUSY;
}

export function isEnvironmental(error: unknown): boolean {
  return ENVIRONMENT_ERRORS.has(primaryCode(error));
}

/** The low byte of an extended code is the primary code; 0 if the error is not from SQLite. */
function primaryCode(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}
