import { chmodSync, copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { StoreUnusable } from '../errors.js';
import { removeChecksums } from './backup-checksums.js';
import { type ExaminedBackup, examineWhole, rejectPartialFile } from './backup-file.js';
import type { CopyEndpoint } from './copy-database.js';
import { openSqliteFile } from './sqlite-endpoint.js';

/** The copy, with the contents and checksums of the backup before it was migrated. */
export type StagedBackup = CopyEndpoint & ExaminedBackup;

/** Copies an undamaged backup, and migrates the copy to this version. The backup itself is only read. */
export async function stageBackup(backup: string, staged: string): Promise<StagedBackup> {
  rejectPartialFile(backup);
  try {
    copyFileSync(backup, staged);
    chmodSync(staged, 0o600);
  } catch (error) {
    throw new StoreUnusable(`${backup} cannot be copied: ${(error as Error).message}.`, { cause: error });
  }
  // The copy is examined, not the original, because the copy becomes the database.
  const examined = await examineWhole(staged, backup);
  removeChecksums(staged);
  return { ...(await openSqliteFile(staged)), ...examined };
}

/**
 * Prepares a staged backup for a server. It removes all sessions and one-time links, because they may have been ended
 * or used since the backup. New changes get the current time as commit order, which is later than every position that
 * consumers of the feed can have read, also of changes that the backup does not contain. A copy that is not to replace
 * its original has its webhooks paused.
 */
export async function prepareForServing(
  { db }: CopyEndpoint,
  { now, pauseWebhooks = false }: { readonly now: number; readonly pauseWebhooks?: boolean },
): Promise<void> {
  await db.deleteFrom('session').execute();
  await db.deleteFrom('one_time_link').execute();
  if (pauseWebhooks)
    await db.updateTable('webhook').set({ state: 'paused' }).where('state', '=', 'active').execute();
  await db
    .updateTable('configuration')
    .set({ version: sql`version + 1`, feed_turn: sql`max(feed_turn + 1, ${now})` })
    .execute();
}

/** Creates a directory for a copy of a backup. The caller removes it. */
export function temporaryDirectory(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (error) {
    throw new StoreUnusable(
      `A temporary copy of the backup cannot be written to ${tmpdir()}: ${(error as Error).message}. Set TMPDIR to a directory with enough space.`,
      { cause: error },
    );
  }
}
