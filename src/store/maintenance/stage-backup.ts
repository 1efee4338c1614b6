import { chmodSync, copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { StoreUnusable } from '../errors.js';
import { removeChecksums } from './backup-checksums.js';
import { type ExaminedBackup, examineWhole, refuseParts } from './backup-file.js';
import type { CopyEndpoint } from './copy-database.js';
import { openSqliteFile } from './sqlite-endpoint.js';

/** Together with what was found in the backup before it was migrated. */
export type StagedBackup = CopyEndpoint & ExaminedBackup;

/** A copy of a backup that is sound, as a database of this version; the backup itself is only read. */
export async function stageBackup(backup: string, staged: string): Promise<StagedBackup> {
  refuseParts(backup);
  try {
    copyFileSync(backup, staged);
    chmodSync(staged, 0o600);
  } catch (error) {
    throw new StoreUnusable(`${backup} cannot be copied: ${(error as Error).message}.`, { cause: error });
  }
  // The copy: what is put in the place of a database has been looked at itself.
  const examined = await examineWhole(staged, backup);
  removeChecksums(staged);
  return { ...(await openSqliteFile(staged)), ...examined };
}

/**
 * Makes a staged backup ready to be served from. Whoever was signed in signs in again: they may have signed out since.
 * Changes are told behind all that consumers of the feed can have read, though that is gone: turns of this moment are
 * later than those of any moment before.
 */
export async function beginAnew({ db }: CopyEndpoint, now: number): Promise<void> {
  await db.deleteFrom('session').execute();
  await db
    .updateTable('configuration')
    .set({ version: sql`version + 1`, feed_turn: sql`max(feed_turn + 1, ${now})` })
    .execute();
}

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
