import { DEFAULT_REJECTION_DAYS } from '../domain/tenant.js';
import { parseDatabaseUrl } from './database-url.js';
import { allMigrations, type Migration, type MigrationProgress } from './schema/migrations.js';
import type { Store } from './store.js';
import { DEFAULT_REQUEST_LIMITS, type RequestLimits } from './write/prepare-request.js';
import { DEFAULT_QUEUE_LIMITS, type QueueLimits } from './write/write-backlog.js';

export interface OpenOptions {
  /** A URL that `parseDatabaseUrl` accepts. */
  readonly database: string;
  /** True in a server, false in commands. A SQLite database can have one server. */
  readonly serving?: boolean;
  /** Rejects with `MissingDatabase` instead of creating a database. */
  readonly mustExist?: boolean;
  /** The maximum number of connections to a database server. */
  readonly poolSize?: number;
  /** The number of threads that parse, validate and write requests; on PostgreSQL. */
  readonly ingestThreads?: number;
  /** How long rejections are kept, for tenants without a setting of their own. */
  readonly rejectionDays?: number;
  readonly queueLimits?: QueueLimits;
  /** For the bodies of requests. */
  readonly requestLimits?: RequestLimits;
  readonly migrations?: readonly Migration[];
  /** Called while a migration that can take long runs. */
  readonly onMigration?: (progress: MigrationProgress) => void;
}

/** Opens the database; creates and migrates it if needed. Rejects with `StoreUnusable` if that fails. */
export async function openStore(options: OpenOptions): Promise<Store> {
  const address = parseDatabaseUrl(options.database);
  const { serving = false, mustExist = false, queueLimits = DEFAULT_QUEUE_LIMITS } = options;
  const { poolSize = 4, rejectionDays = DEFAULT_REJECTION_DAYS, migrations = allMigrations } = options;
  const { onMigration, requestLimits = DEFAULT_REQUEST_LIMITS, ingestThreads = 1 } = options;
  const common = { serving, mustExist, rejectionDays, queueLimits, requestLimits, migrations, onMigration };
  // A dynamic import loads only the driver that is needed.
  if (address.kind === 'sqlite') {
    const { openSqliteStore } = await import('./sqlite/open-sqlite-store.js');
    return openSqliteStore({ dataDir: address.dataDir, ...common });
  }
  const { openPostgresStore } = await import('./postgres/open-postgres-store.js');
  return openPostgresStore({ address, poolSize, ingestThreads, ...common });
}
