import { DiskFailure } from '../store.js';

/** SQLITE_FULL and SQLITE_IOERR, in SQLite's own words: codes do not come over from another thread. */
const MESSAGES = new Set(['database or disk is full', 'disk I/O error']);

/** The same error, recognised where the disk is at fault. */
export function asDiskFailure(error: Error): Error {
  // A thread that could not even open the file ends.
  const { message } = error.cause instanceof Error ? error.cause : error;
  return MESSAGES.has(message) ? new DiskFailure(message, { cause: error }) : error;
}
