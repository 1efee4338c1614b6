import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreUnusable } from '../store.js';

/** A new directory for a copy of a backup; who asks for it removes it. */
export function temporaryDirectory(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (error) {
    throw new StoreUnusable(
      `A copy of the backup cannot be kept in ${tmpdir()} meanwhile: ${(error as Error).message}. Set TMPDIR to a directory with room for it.`,
      { cause: error },
    );
  }
}
