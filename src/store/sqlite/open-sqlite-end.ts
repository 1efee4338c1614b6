import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseEnd } from '../copy/copy-database.js';
import { allMigrations } from '../migrations/all-migrations.js';
import { StoreUnusable } from '../store.js';
import { DATABASE_FILE, openSqliteDatabase } from './open-sqlite-database.js';
import { continueNumbers } from './open-sqlite-file.js';

export async function openSqliteEnd(path: string, mustExist: boolean): Promise<DatabaseEnd> {
  const dataDir = resolve(path);
  if (mustExist && !existsSync(join(dataDir, DATABASE_FILE))) {
    throw new StoreUnusable(`There is no database in ${dataDir}.`);
  }
  const { file, db, close } = await openSqliteDatabase({ dataDir, lock: true, migrations: allMigrations });
  return {
    location: `SQLite, ${file}`,
    db,
    continueNumbers: (from) => continueNumbers(db, from),
    close,
  };
}
