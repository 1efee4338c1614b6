import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnusable } from '../errors.js';
import { schemaVersion } from '../schema/migrate.js';
import { allMigrations } from '../schema/migrations.js';
import { openReadOnly } from './connection.js';
import { LOCK_FILE, lockForServer } from './data-directory.js';
import { kyselyOver } from './kysely-database.js';
import { DATABASE_FILE } from './open-sqlite-database.js';

export interface SqliteInspection {
  readonly file: string;
  readonly schemaVersion: number;
  readonly knownVersion: number;
  /** The problems that SQLite finds in the file; empty if there are none. */
  readonly damage: readonly string[];
}

/** Inspects a database without changing it; undefined if there is none. */
export async function inspectSqlite(dataDir: string): Promise<SqliteInspection | undefined> {
  const file = join(dataDir, DATABASE_FILE);
  return existsSync(file) ? inspectFile(file) : undefined;
}

export async function inspectFile(file: string): Promise<SqliteInspection> {
  const connection = openReadOnly(file);
  const db = kyselyOver(connection);
  try {
    const rows: { integrity_check: string }[] = connection.prepare('pragma integrity_check').all();
    const damage = rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
    const strays: { table: string; rowid: number; parent: string }[] = connection
      .prepare('select * from pragma_foreign_key_check limit 100')
      .all();
    for (const { table, rowid, parent } of strays) {
      damage.push(`row ${rowid} of ${table} refers to a ${parent} that does not exist`);
    }
    return { file, schemaVersion: await schemaVersion(db), knownVersion: allMigrations.length, damage };
  } finally {
    connection.close();
  }
}

export function isServing(dataDir: string): boolean {
  if (!existsSync(join(dataDir, LOCK_FILE))) return false;
  try {
    lockForServer(dataDir).release();
    return false;
  } catch (error) {
    if (error instanceof StoreUnusable) return true;
    throw error;
  }
}
