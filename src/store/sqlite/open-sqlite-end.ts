import type { DatabaseEnd } from '../copy/copy-database.js';
import { allMigrations } from '../migrations/all-migrations.js';
import { openSqliteDatabase } from './open-sqlite-database.js';
import { continueNumbers } from './open-sqlite-file.js';

export async function openSqliteEnd(dataDir: string, mustExist: boolean): Promise<DatabaseEnd> {
  const { file, db, close } = await openSqliteDatabase({
    dataDir,
    lock: true,
    mustExist,
    migrations: allMigrations,
  });
  return {
    location: `SQLite, ${file}`,
    db,
    continueNumbers: (from) => continueNumbers(db, from),
    close,
  };
}
