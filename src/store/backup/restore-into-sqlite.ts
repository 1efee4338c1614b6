import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SqliteAddress } from '../database-url.js';
import { usableDirectory } from '../sqlite/data-directory.js';
import { DATABASE_FILE } from '../sqlite/open-sqlite-database.js';
import { replaceDatabase } from '../sqlite/replace-database.js';
import { lockForServer } from '../sqlite/server-lock.js';
import { StoreUnusable } from '../store.js';
import type { Restored, RestoreOptions } from './restore-backup.js';
import { beginAnew, stageBackup } from './stage-backup.js';

/** The backup takes the place of the database; a database that is replaced is kept among the backups. */
export async function restoreIntoSqlite(
  backup: string,
  { dataDir: path }: SqliteAddress,
  { replace, now }: RestoreOptions,
): Promise<Restored> {
  const dataDir = usableDirectory(path);
  const file = join(dataDir, DATABASE_FILE);
  const lock = lockForServer(dataDir);
  const staged = `${file}.unfinished`;
  try {
    if (existsSync(file) && !replace) {
      throw new StoreUnusable(
        `There is a database in ${dataDir} already. Nothing was changed. Move it away, or add --replace, which keeps it in ${join(dataDir, 'backups')}.`,
      );
    }
    rmSync(staged, { force: true });
    const { contents, checksums, ...end } = await stageBackup(backup, staged);
    try {
      await beginAnew(end, now);
    } finally {
      await end.close();
    }
    const time = new Date(now).toISOString().replaceAll(/[-:.]/g, '');
    const kept = join(dataDir, 'backups', `account-sync-before-restore-${time}.db`);
    const hadOne = existsSync(file);
    replaceDatabase(file, staged, kept);
    return { location: `SQLite, ${file}`, contents, checksums, kept: hadOne ? kept : null };
  } finally {
    rmSync(staged, { force: true });
    lock.release();
  }
}
