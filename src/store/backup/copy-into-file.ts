import { copyDatabase } from '../copy/copy-database.js';
import type { PostgresAddress } from '../database-url.js';
import { openPostgresSnapshot } from '../postgres/open-postgres-reader.js';
import { openSqliteFile } from '../sqlite/open-sqlite-file.js';
import type { BackupListener } from './write-backup.js';

/** Copies what PostgreSQL holds at one moment, and compares the two. */
export async function copyIntoFile(
  address: PostgresAddress,
  into: string,
  { report, onOpened }: BackupListener,
): Promise<void> {
  const from = await openPostgresSnapshot(address);
  try {
    onOpened(from.location);
    const to = await openSqliteFile(into);
    try {
      await copyDatabase(from, to, ({ phase, table, done, total }) =>
        report(`${phase === 'copy' ? 'copying' : 'comparing'} ${table}`, done, total),
      );
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}
