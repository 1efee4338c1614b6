import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyDatabase } from '../copy/copy-database.js';
import type { PostgresAddress } from '../database-url.js';
import { openPostgresEnd } from '../postgres/open-postgres-end.js';
import { StoreUnusable } from '../store.js';
import type { Restored, RestoreOptions } from './restore-backup.js';
import { beginAnew, stageBackup } from './stage-backup.js';
import { temporaryDirectory } from './temporary-directory.js';

/** Copies the backup into a database that is empty; where it was broken off, it goes on where it ended. */
export async function restoreIntoPostgres(
  backup: string,
  address: PostgresAddress,
  { replace, now, report }: RestoreOptions,
): Promise<Restored> {
  if (replace) {
    throw new StoreUnusable(
      'On PostgreSQL a backup goes into an empty database, and --replace is not possible: create a database, and name it in DATABASE_URL.',
    );
  }
  const directory = temporaryDirectory('account-sync-restore-');
  try {
    const { contents, checksums, ...from } = await stageBackup(backup, join(directory, 'backup.db'));
    try {
      await beginAnew(from, now);
      const to = await openPostgresEnd(address, false);
      try {
        await copyDatabase(from, to, ({ phase, table, done, total }) =>
          report(`${phase === 'copy' ? 'copying' : 'comparing'} ${table}`, done, total),
        );
        return { location: to.location, contents, checksums, kept: null };
      } finally {
        await to.close();
      }
    } finally {
      await from.close();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
