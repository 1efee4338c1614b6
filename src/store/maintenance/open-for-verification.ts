import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseDatabaseUrl } from '../database-url.js';
import { type Dialect, POSTGRES, SQLITE } from '../dialect.js';
import { StoreUnusable } from '../errors.js';
import { openConnection, openReadOnly, PATIENT_MS } from '../sqlite/connection.js';
import { kyselyOver } from '../sqlite/kysely-database.js';
import { existingDatabaseFile } from '../sqlite/open-sqlite-database.js';
import { type ChecksumComparison, compareChecksums } from './backup-checksums.js';
import { inspectBackup, rejectPartialFile } from './backup-file.js';
import type { CopySource } from './copy-database.js';
import { stageBackup, temporaryDirectory } from './stage-backup.js';

/** A database or backup to verify. Servers may use it meanwhile. */
export interface Verifiable extends CopySource {
  readonly dialect: Dialect;
  /** The problems that SQLite finds in the file; undefined for PostgreSQL, which checks its files itself. */
  readonly damage: readonly string[] | undefined;
  /** Only for a backup that has checksums. */
  readonly checksums?: ChecksumComparison | undefined;
}

export async function openDatabase(database: string): Promise<Verifiable> {
  const address = parseDatabaseUrl(database);
  if (address.kind === 'postgres') {
    const { openPostgresReader } = await import('./postgres-endpoint.js');
    return { ...(await openPostgresReader(address)), dialect: POSTGRES, damage: undefined };
  }
  const file = existingDatabaseFile(address.dataDir);
  const { schemaVersion, knownVersion, damage } = await inspectBackup(file);
  if (schemaVersion < knownVersion) {
    throw new StoreUnusable(
      `The database ${file} has schema version ${schemaVersion}, and this account-sync verifies ${knownVersion}. The next start migrates it.`,
    );
  }
  const db = kyselyOver(openConnection(file, { waitMs: PATIENT_MS }));
  return { location: `SQLite, ${file}`, dialect: SQLITE, damage, db, close: () => db.destroy() };
}

/** A backup of an older version is copied, and the copy is migrated; closing removes the copy. */
export async function openBackup(path: string): Promise<Verifiable> {
  const file = resolve(path);
  rejectPartialFile(file);
  const { schemaVersion, knownVersion, damage } = await inspectBackup(file);
  if (schemaVersion === knownVersion) {
    const checksums = compareChecksums(file);
    const db = kyselyOver(openReadOnly(file));
    return { location: file, dialect: SQLITE, damage, checksums, db, close: () => db.destroy() };
  }
  const directory = temporaryDirectory('account-sync-verify-');
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    const { db, checksums, close } = await stageBackup(file, join(directory, 'backup.db'));
    return { location: file, dialect: SQLITE, damage, checksums, db, close: () => close().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}
