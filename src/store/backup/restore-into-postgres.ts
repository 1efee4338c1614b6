import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { copyDatabase, type DatabaseEnd } from '../copy/copy-database.js';
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
    const { contents, ...from } = await stageBackup(backup, join(directory, 'backup.db'));
    try {
      await beginAnew(from, now);
      const to = await openPostgresEnd(address);
      try {
        const continueNumbers = () => continueBehind(from, to);
        await copyDatabase(from, { ...to, continueNumbers }, ({ phase, table, done, total }) =>
          report(`${phase === 'copy' ? 'copying' : 'comparing'} ${table}`, done, total),
        );
        return { location: to.location, contents, kept: null };
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

/** Turns go on behind those of the staged backup, and not only behind the last that it holds. */
async function continueBehind(from: DatabaseEnd, to: DatabaseEnd): Promise<void> {
  await to.continueNumbers();
  const { feed_turn } = await from.db
    .selectFrom('configuration')
    .select('feed_turn')
    .executeTakeFirstOrThrow();
  await sql`
    update configuration set feed_turn =
      greatest(feed_turn, ${feed_turn}::bigint - pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1)
  `.execute(to.db);
}
