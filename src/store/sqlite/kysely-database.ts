import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { Kysely, type LogEvent, type SqliteDatabase, SqliteDialect } from 'kysely';
import type { Tables } from '../schema/tables.js';

/** Kysely over a connection; destroying it closes the connection. */
export function kyselyOver(db: DatabaseSyncInstance, onFailure?: () => void): Kysely<Tables> {
  const database: SqliteDatabase = {
    close: () => db.close(),
    prepare(sql) {
      const statement = db.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...parameters),
        run: (parameters) => statement.run(...parameters),
        iterate: (parameters) => statement.iterate(...parameters),
      };
    },
  };
  const log = ({ level }: LogEvent) => {
    if (level === 'error') onFailure?.();
  };
  return new Kysely({ dialect: new SqliteDialect({ database }), log });
}
