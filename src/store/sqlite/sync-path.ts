import { closeSync, fsyncSync, openSync } from 'node:fs';

/** A file's content, or the names in a directory. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
