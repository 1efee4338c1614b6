import { AccountReader } from '../account-reader.js';
import type { PostgresAddress } from '../database-url.js';
import { Directory } from '../directory.js';
import { GroupCommit, type QueueLimits } from '../group-commit.js';
import type { Migration } from '../migrations/all-migrations.js';
import type { Store } from '../store.js';
import { AccountWriter } from './account-writer.js';
import { Connections } from './connections.js';
import { kyselyOver } from './kysely-database.js';
import { migratePostgres } from './migrate-postgres.js';
import { unusable } from './unusable.js';

export interface PostgresOptions {
  readonly address: PostgresAddress;
  readonly serving: boolean;
  readonly poolSize: number;
  readonly queueLimits: QueueLimits;
  readonly migrations: readonly Migration[];
}

export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { address, serving, poolSize, queueLimits, migrations } = options;
  const purpose = serving ? 'server' : 'command';
  const connections = new Connections(address.servers, { size: poolSize, purpose });
  const db = kyselyOver(connections);
  const directory = new Directory(db);
  try {
    await migratePostgres(address.servers, migrations);
    await directory.version();
  } catch (error) {
    await db.destroy();
    throw unusable(address.name, error);
  }
  const reader = new AccountReader(db);
  const writer = new AccountWriter(connections);
  const writes = new GroupCommit((group) => writer.write(group), {
    limits: queueLimits,
    // No statement crosses tenants, so that the tables can be distributed by tenant.
    laneOf: ({ tenantId }) => tenantId,
    // One connection stays free for everything else.
    width: poolSize - 1,
    // While the database writes one, the next is made ready.
    laneWidth: 2,
  });
  return {
    location: `PostgreSQL, ${address.name}`,
    directory,
    upsert: (request) => writes.submit(request),
    findAccount: (tenantId, accountId) => reader.find(tenantId, accountId),
    history: (tenantId, accountId) => reader.history(tenantId, accountId),
    fieldValues: (tenantId, field) => reader.fieldValues(tenantId, field),
    recordKeyUse: (uses) => writer.recordKeyUse(uses),
    check: async () => {
      await directory.version();
    },
    close: async () => {
      await writes.idle();
      await db.destroy();
    },
  };
}
