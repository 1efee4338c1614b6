import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { StoreUnusable } from '../errors.js';
import { openReadOnly } from '../sqlite/connection.js';
import { inspectFile, type SqliteInspection } from '../sqlite/inspect-sqlite.js';
import { type ChecksumComparison, compareChecksums } from './backup-checksums.js';

/** What a backup holds. */
export interface BackupContents {
  readonly schemaVersion: number;
  readonly tenants: number;
  readonly accounts: number;
  readonly changes: number;
}

export interface ExaminedBackup {
  readonly contents: BackupContents;
  /** Undefined if the backup has none. */
  readonly checksums: ChecksumComparison | undefined;
}

/** Rejects with `StoreUnusable` if the file is not a backup, is damaged, or was written by a newer version. */
export async function examineBackup(file: string): Promise<BackupContents> {
  const { schemaVersion, damage } = await inspectBackup(file);
  rejectDamage(file, damage);
  return { schemaVersion, ...countRows(file, schemaVersion) };
}

/** Like `examineBackup`, and compares the tables with their checksums. `name` stands for the file in messages. */
export async function examineWhole(file: string, name: string): Promise<ExaminedBackup> {
  const { schemaVersion, damage } = await inspectBackup(file, name);
  const checksums = compareChecksums(file);
  rejectDamage(name, [...damage, ...(checksums?.problems ?? [])]);
  return { contents: { schemaVersion, ...countRows(file, schemaVersion) }, checksums };
}

function rejectDamage(name: string, damage: readonly string[]): void {
  if (damage.length > 0) throw new StoreUnusable(`${name} is damaged: ${damage[0]}.`);
}

/** Inspects the file with SQLite. Returns damage instead of throwing. */
export async function inspectBackup(file: string, name = file): Promise<SqliteInspection> {
  const inspection = await inspectFile(file).catch((error) => {
    const { code, message } = error as Error & { code?: string };
    // Not `errcode`: for damaged pages the driver does not always set it.
    if (code !== 'ERR_SQLITE_ERROR') throw error;
    throw new StoreUnusable(`${name} cannot be read: ${message}.`, { cause: error });
  });
  const { schemaVersion, knownVersion } = inspection;
  if (schemaVersion === 0) throw new StoreUnusable(`${name} holds no tables of account-sync.`);
  if (schemaVersion <= knownVersion) return inspection;
  throw new StoreUnusable(
    `${name} has schema version ${schemaVersion}, made by a newer account-sync; this one knows ` +
      `${knownVersion}. Use the newer version.`,
  );
}

/** Throws if there is no file, or if it is only a part of a database. */
export function rejectPartialFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new StoreUnusable(`There is no file ${file}.`);
  if (!found.isFile()) throw new StoreUnusable(`${file} is not a regular file.`);
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size === 0) return;
  throw new StoreUnusable(
    `${file} is not a backup: part of it is in ${file}-wal, as in a database in use. Make a backup of it first: ` +
      'account-sync backup <file>',
  );
}

function countRows(file: string, schemaVersion: number): Omit<BackupContents, 'schemaVersion'> {
  const db = openReadOnly(file);
  const count = (from: string): number => db.prepare(`select count(*) as rows from ${from}`).get().rows;
  try {
    return {
      tenants: count('tenant'),
      // Schema version 1 has no deletions.
      accounts: count(schemaVersion < 2 ? 'account' : 'account where deleted_at is null'),
      // Before schema version 6 each change had a row.
      changes:
        schemaVersion < 6
          ? count('account_history')
          : db
              .prepare(`select coalesce(sum(${changeColumns(schemaVersion)}), 0) as changes from change_set`)
              .get().changes,
    };
  } finally {
    db.close();
  }
}

/** Schema version 9 added archived accounts. */
function changeColumns(schemaVersion: number): string {
  return `created + updated + deleted${schemaVersion < 9 ? '' : ' + archived + restored'}`;
}

export async function sha256Of(file: string, report: (bytes: number) => void): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    hash.update(piece);
    bytes += piece.length;
    report(bytes);
  }
  return hash.digest('hex');
}
