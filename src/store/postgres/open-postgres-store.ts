import { assembleStore } from '../assemble-store.js';
import type { PostgresAddress } from '../database-url.js';
import { POSTGRES } from '../dialect.js';
import { StoreObservers } from '../observer.js';
import { requireTables } from '../schema/migrate.js';
import type { Migration, MigrationProgress } from '../schema/migrations.js';
import type { Store } from '../store.js';
import type { RequestLimits } from '../write/prepare-request.js';
import type { QueueLimits } from '../write/write-backlog.js';
import { ConnectionPools } from './connection-pools.js';
import { kyselyOver } from './kysely-database.js';
import { migratePostgres } from './migrate-postgres.js';
import { unusable } from './postgres-errors.js';
import { PostgresIngest } from './postgres-ingest.js';
import { RequestLeases } from './request-leases.js';

export interface PostgresOptions {
  readonly address: PostgresAddress;
  readonly serving: boolean;
  readonly mustExist: boolean;
  readonly rejectionDays: number;
  readonly poolSize: number;
  readonly ingestThreads: number;
  readonly queueLimits: QueueLimits;
  readonly requestLimits: RequestLimits;
  readonly migrations: readonly Migration[];
  readonly onMigration: ((progress: MigrationProgress) => void) | undefined;
}

export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const {
    address,
    serving,
    mustExist,
    rejectionDays,
    poolSize,
    ingestThreads,
    queueLimits,
    requestLimits,
    migrations,
    onMigration,
  } = options;
  const purpose = serving ? 'server' : 'command';
  const observers = new StoreObservers();
  const onFailure = () => observers.databaseFailed();
  // Half of the connections write: groups of requests may wait long for locks, and their sessions have other settings.
  const width = Math.floor(poolSize / 2);
  const connections = new ConnectionPools(address.servers, { size: poolSize - width, purpose, onFailure });
  const db = kyselyOver(connections);
  const leases = new RequestLeases(connections);
  const writer = new PostgresIngest({
    servers: address.servers,
    purpose,
    // Each needs a connection, the first two.
    threads: Math.max(Math.min(ingestThreads, width - 1), 1),
    connections: width,
    limits: requestLimits,
    queueLimits,
    observers,
  });
  const parts = {
    location: `PostgreSQL, ${address.name}`,
    db,
    dialect: POSTGRES,
    serving,
    rejectionDays,
    writer,
    observers,
    leaseRequests: (senderId: string, minute: number, limit: number) => leases.lease(senderId, minute, limit),
    freeSpace: async () => undefined,
    close: async () => {
      await writer.close();
      await db.destroy();
    },
  };
  try {
    if (mustExist) await requireTables(db, parts.location);
    await migratePostgres(address.servers, migrations, onMigration);
    // The threads start now: later, an upgrade may have replaced the code that they load.
    if (serving) writer.start();
    return await assembleStore(parts);
  } catch (error) {
    await parts.close();
    throw unusable(address.name, error);
  }
}
