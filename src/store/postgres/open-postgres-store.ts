import { assembleStore } from '../assemble-store.js';
import type { PostgresAddress } from '../database-url.js';
import { POSTGRES } from '../dialect.js';
import { StoreObservers } from '../observer.js';
import type { KeyUse, UpsertRequest } from '../requests.js';
import { requireTables } from '../schema/migrate.js';
import type { Migration, MigrationProgress } from '../schema/migrations.js';
import type { Store } from '../store.js';
import { GroupCommit } from '../write/group-commit.js';
import type { QueueLimits } from '../write/write-backlog.js';
import { ConnectionPools, kyselyOver } from './connection-pools.js';
import { migratePostgres } from './migrate-postgres.js';
import { PostgresAccountWriter } from './postgres-account-writer.js';
import { unusable } from './postgres-errors.js';
import { RequestLeases } from './request-leases.js';

export interface PostgresOptions {
  readonly address: PostgresAddress;
  readonly serving: boolean;
  readonly mustExist: boolean;
  readonly rejectionDays: number;
  readonly poolSize: number;
  readonly queueLimits: QueueLimits;
  readonly migrations: readonly Migration[];
  readonly onMigration: ((progress: MigrationProgress) => void) | undefined;
}

export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { address, serving, mustExist, rejectionDays, poolSize, queueLimits, migrations, onMigration } =
    options;
  const purpose = serving ? 'server' : 'command';
  const observers = new StoreObservers();
  const onFailure = () => observers.databaseFailed();
  // Two pools: groups of requests may wait long for locks, and their sessions have other settings.
  const width = Math.floor(poolSize / 2);
  const connections = new ConnectionPools(address.servers, { size: poolSize - width, purpose, onFailure });
  const writing = { size: width, purpose, onFailure, areWriters: true } as const;
  const writers = new ConnectionPools(address.servers, writing);
  const db = kyselyOver(connections);
  const writer = new PostgresAccountWriter(writers);
  const leases = new RequestLeases(connections);
  const writes = new GroupCommit((group) => writer.write(group), {
    limits: queueLimits,
    // No statement crosses tenants, so that the tables can be distributed by tenant.
    laneOf: ({ tenantId }) => tenantId,
    width,
    // While the database commits one group, this process prepares the next.
    laneWidth: 2,
    onEnd: (outcomes, seconds) => observers.groupEnded(outcomes, seconds),
  });
  const parts = {
    location: `PostgreSQL, ${address.name}`,
    db,
    dialect: POSTGRES,
    serving,
    rejectionDays,
    writer: {
      upsert: (request: UpsertRequest) => writes.submit(request),
      recordKeyUse: (uses: readonly KeyUse[]) => writer.recordKeyUse(uses),
      waitingRecords: () => writes.waitingRecords(),
    },
    observers,
    leaseRequests: (keyId: string, minute: number, limit: number) => leases.lease(keyId, minute, limit),
    freeSpace: async () => undefined,
    close: async () => {
      await writes.idle();
      await writers.end();
      await db.destroy();
    },
  };
  try {
    if (mustExist) await requireTables(db, parts.location);
    await migratePostgres(address.servers, migrations, onMigration);
    return await assembleStore(parts);
  } catch (error) {
    await parts.close();
    throw unusable(address.name, error);
  }
}
