import { DiskFailure } from '../errors.js';

/** SQLITE_FULL and SQLITE_IOERR, in SQLite's own words: codes do not come over from another thread. */
const MESSAGES = new Set(['database or disk is full', 'disk I/O error']);

/** The same error, recognised where the disk is at fault. */
export function asDiskFailure(error: Error): Error {
  // A thread that could not even open the file ends.
  const { message } = error.cause instanceof Error ? error.cause : error;
  return MESSAGES.has(message) ? new DiskFailure(message, { cause: error }) : error;
}

const SQLITE_BUSY = 5;
/** Busy, no memory, read-only, input/output, corrupt, full, cannot open, no database: no request is at fault. */
const ENVIRONMENT_ERRORS = new Set([SQLITE_BUSY, 7, 8, 10, 11, 13, 14, 26]);

/** Another connection or process holds the lock. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY;
}

export function isEnvironmental(error: unknown): boolean {
  return ENVIRONMENT_ERRORS.has(primaryCode(error));
}

/** The low byte of an extended code is the primary one; 0 where the error is not SQLite's. */
function primaryCode(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}
