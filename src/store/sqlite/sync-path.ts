import { closeSync, fsyncSync, openSync } from 'node:fs';

/** The names in a directory, as far as it may be read: what may only be written cannot be synced. */
export function syncDirectory(path: string): void {
  try {
    syncPath(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'EISDIR'].includes(code)) throw error;
  }
}

/** A file's content, or the names in a directory. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
