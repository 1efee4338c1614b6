import { resolve } from 'node:path';
import { parseDatabaseUrl } from '../database-url.js';
import type { ExaminedBackup } from './backup-file.js';
import type { BackupProgress } from './write-backup.js';

export interface RestoreOptions {
  /** Whether a database that is there already may be replaced. */
  readonly replace: boolean;
  readonly now: number;
  readonly report: BackupProgress;
}

export interface Restored extends ExaminedBackup {
  /** For people: where it is now. */
  readonly location: string;
  /** A copy of the database that was there before. */
  readonly kept: string | null;
}

/** Puts a backup in the place of a database; rejects with `StoreUnusable`, and nothing has changed, where it cannot. */
export async function restoreBackup(
  database: string,
  backup: string,
  options: RestoreOptions,
): Promise<Restored> {
  const address = parseDatabaseUrl(database);
  if (address.kind === 'sqlite') {
    const { restoreIntoSqlite } = await import('./restore-into-sqlite.js');
    return restoreIntoSqlite(resolve(backup), address, options);
  }
  const { restoreIntoPostgres } = await import('./restore-into-postgres.js');
  return restoreIntoPostgres(resolve(backup), address, options);
}
