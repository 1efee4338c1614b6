import { DEFAULT_REJECTION_DAYS } from '../domain/tenant.js';
import { parseDatabaseUrl } from './database-url.js';
import { allMigrations, type Migration } from './schema/migrations.js';
import type { Store } from './store.js';
import { DEFAULT_QUEUE_LIMITS, type QueueLimits } from './write/write-backlog.js';

export interface OpenOptions {
  /** Its forms are those of `parseDatabaseUrl`. */
  readonly database: string;
  /** True in the server, false in commands beside it. A SQLite database takes one server. */
  readonly serving?: boolean;
  /** Rejects with `MissingDatabase` instead of making a database where there is none. */
  readonly mustExist?: boolean;
  /** The most connections to a database server. */
  readonly poolSize?: number;
  /** For how long a server keeps refusals of tenants that do not say. */
  readonly rejectionDays?: number;
  readonly queueLimits?: QueueLimits;
  readonly migrations?: readonly Migration[];
}

/** Opens the database, made and migrated where needed; rejects with `StoreUnusable` where it cannot. */
export async function openStore(options: OpenOptions): Promise<Store> {
  const address = parseDatabaseUrl(options.database);
  const { serving = false, mustExist = false, queueLimits = DEFAULT_QUEUE_LIMITS } = options;
  const { poolSize = 4, rejectionDays = DEFAULT_REJECTION_DAYS, migrations = allMigrations } = options;
  const common = { serving, mustExist, rejectionDays, queueLimits, migrations };
  // Only the driver that is needed is loaded.
  if (address.kind === 'sqlite') {
    const { openSqliteStore } = await import('./sqlite/open-sqlite-store.js');
    return openSqliteStore({ dataDir: address.dataDir, ...common });
  }
  const { openPostgresStore } = await import('./postgres/open-postgres-store.js');
  return openPostgresStore({ address, poolSize, ...common });
}
