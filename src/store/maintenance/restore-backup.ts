import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type PostgresAddress, parseDatabaseUrl, type SqliteAddress } from '../database-url.js';
import { StoreUnusable } from '../errors.js';
import { lockForServer, usableDirectory } from '../sqlite/data-directory.js';
import { DATABASE_FILE } from '../sqlite/open-sqlite-database.js';
import { replaceDatabase } from '../sqlite/replace-database.js';
import type { ExaminedBackup } from './backup-file.js';
import { copyDatabase } from './copy-database.js';
import { prepareForServing, stageBackup, temporaryDirectory } from './stage-backup.js';
import type { BackupProgress } from './write-backup.js';

export interface RestoreOptions {
  /** Whether an existing database may be replaced. */
  readonly replace: boolean;
  /** Whether the webhooks are paused, so that the restored database sends nothing. */
  readonly pauseWebhooks?: boolean;
  readonly now: number;
  readonly report: BackupProgress;
}

export interface Restored extends ExaminedBackup {
  /** For messages: where the restored database is. */
  readonly location: string;
  /** A copy of the database that was replaced. */
  readonly kept: string | null;
}

/** Replaces a database by a backup. Rejects with `StoreUnusable`, and changes nothing, if that is not possible. */
export async function restoreBackup(
  database: string,
  backup: string,
  options: RestoreOptions,
): Promise<Restored> {
  const address = parseDatabaseUrl(database);
  if (address.kind === 'sqlite') {
    return restoreIntoSqlite(resolve(backup), address, options);
  }
  return restoreIntoPostgres(resolve(backup), address, options);
}

/** A copy of the replaced database is kept among the backups. */
async function restoreIntoSqlite(
  backup: string,
  { dataDir: path }: SqliteAddress,
  { replace, ...preparation }: RestoreOptions,
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
    const { contents, checksums, ...copy } = await stageBackup(backup, staged);
    try {
      await prepareForServing(copy, preparation);
    } finally {
      await copy.close();
    }
    const time = new Date(preparation.now).toISOString().replaceAll(/[-:.]/g, '');
    const kept = join(dataDir, 'backups', `account-sync-before-restore-${time}.db`);
    const isReplaced = existsSync(file);
    replaceDatabase(file, staged, kept);
    return { location: `SQLite, ${file}`, contents, checksums, kept: isReplaced ? kept : null };
  } finally {
    rmSync(staged, { force: true });
    lock.release();
  }
}

/** Copies the backup into an empty database. A restore that was interrupted continues after the last copied row. */
async function restoreIntoPostgres(
  backup: string,
  address: PostgresAddress,
  { replace, report, ...preparation }: RestoreOptions,
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
      await prepareForServing(from, preparation);
      const { openPostgresEndpoint } = await import('./postgres-endpoint.js');
      const to = await openPostgresEndpoint(address, false);
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
