import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type LogEvent,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import type { Tables } from '../schema/tables.js';
import { isLocked } from './sqlite-errors.js';

/** Our own transactions take milliseconds. */
const RETRY_MS = 2;

/**
 * Kysely over a connection; destroying it closes the connection. With `waitMs`, a statement is repeated for so long
 * while another connection writes: SQLite's own wait would block the thread.
 */
export function kyselyOver(
  db: DatabaseSyncInstance,
  { onFailure, waitMs }: { onFailure?: (() => void) | undefined; waitMs?: number } = {},
): Kysely<Tables> {
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
  const dialect =
    waitMs === undefined ? new SqliteDialect({ database }) : new RetryingDialect({ database }, waitMs);
  return new Kysely({ dialect, log });
}

class RetryingDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #waitMs: number;

  constructor(config: SqliteDialectConfig, waitMs: number) {
    super(config);
    this.#config = config;
    this.#waitMs = waitMs;
  }

  override createDriver(): SqliteDriver {
    return new RetryingDriver(this.#config, this.#waitMs);
  }
}

class RetryingDriver extends SqliteDriver {
  readonly #waitMs: number;

  constructor(config: SqliteDialectConfig, waitMs: number) {
    super(config);
    this.#waitMs = waitMs;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    const execute = async <R>(query: CompiledQuery) => {
      const end = performance.now() + this.#waitMs;
      for (;;) {
        try {
          return await connection.executeQuery<R>(query);
        } catch (error) {
          if (!isLocked(error) || performance.now() >= end) throw error;
        }
        await pause(RETRY_MS);
      }
    };
    return {
      executeQuery: execute,
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    };
  }
}
