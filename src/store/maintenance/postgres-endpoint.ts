import { type Kysely, sql } from 'kysely';
import type { PostgresAddress } from '../database-url.js';
import { StoreUnusable } from '../errors.js';
import { ConnectionPools } from '../postgres/connection-pools.js';
import { kyselyOver } from '../postgres/kysely-database.js';
import { continueCommitOrder, migratePostgres } from '../postgres/migrate-postgres.js';
import { unusable } from '../postgres/postgres-errors.js';
import { NUMBERS_PER_SET } from '../schema/change-set.js';
import { requireTables, schemaVersion } from '../schema/migrate.js';
import { allMigrations } from '../schema/migrations.js';
import type { Tables } from '../schema/tables.js';
import { type CopyEndpoint, type CopySource, feedOffsetOf } from './copy-database.js';

export async function openPostgresEndpoint(
  address: PostgresAddress,
  mustExist: boolean,
): Promise<CopyEndpoint> {
  const location = `PostgreSQL, ${address.name}`;
  const db = kyselyOver(new ConnectionPools(address.servers, { size: 1, purpose: 'copy' }));
  try {
    // The first connection takes the lock that excludes servers, before anything is migrated.
    await sql`select 1`.execute(db);
    if (mustExist) await requireTables(db, location);
    await migratePostgres(address.servers, allMigrations);
  } catch (error) {
    await db.destroy();
    throw unusable(address.name, error);
  }
  return {
    location,
    db,
    continueNumbers: async (from) => {
      for (const table of ['tenant', 'rejection', 'audit', 'run', 'webhook_delivery']) {
        await sql`
          select setval(pg_get_serial_sequence(${table}, 'id'), coalesce(max(id), 0) + 1, false)
          from ${sql.table(table)}
        `.execute(db);
      }
      const sets = sql`coalesce(max(seq), 0) + ${sql.lit(NUMBERS_PER_SET)}`;
      await sql`select setval('change_set_seq', ${sets}, false) from change_set`.execute(db);
      await continueCommitOrder(db);
      await sql`
        update configuration set feed_turn = greatest(
          feed_turn, ${await feedOffsetOf(from)}::bigint - pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1
        )
      `.execute(db);
    },
    close: () => db.destroy(),
  };
}

/** For long reads while servers run. It migrates nothing: those servers expect the schema of their own version. */
export async function openPostgresReader(address: PostgresAddress): Promise<CopySource> {
  const location = `PostgreSQL, ${address.name}`;
  const db = kyselyOver(new ConnectionPools(address.servers, { size: 1, purpose: 'reader' }));
  try {
    await requireTables(db, location);
    await checkSchema(db, address.name);
  } catch (error) {
    await db.destroy();
    throw unusable(address.name, error);
  }
  return { location, db, close: () => db.destroy() };
}

/** Like `openPostgresReader`, but reads everything in one transaction, which sees the data as of its start. */
export async function openPostgresSnapshot(address: PostgresAddress): Promise<CopySource> {
  const { location, db, close } = await openPostgresReader(address);
  const transaction = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
    .catch(async (error) => {
      await close();
      throw unusable(address.name, error);
    });
  return {
    location,
    db: transaction,
    close: async () => {
      await transaction.rollback().execute();
      await close();
    },
  };
}

async function checkSchema(db: Kysely<Tables>, name: string): Promise<void> {
  const version = await schemaVersion(db);
  const known = allMigrations.length;
  if (version === known) return;
  throw new StoreUnusable(
    `The database ${name} has schema version ${version}, and this account-sync reads ${known}. Use the version that serves from it.`,
  );
}
