import type { Kysely } from 'kysely';
import type { Source } from '../copy/copy-database.js';
import type { PostgresAddress } from '../database-url.js';
import { requireTables, schemaVersion } from '../migrate.js';
import { allMigrations } from '../migrations/all-migrations.js';
import { StoreUnusable } from '../store.js';
import type { Tables } from '../tables.js';
import { Connections } from './connections.js';
import { kyselyOver } from './kysely-database.js';
import { unusable } from './unusable.js';

/** For long reads beside servers. Migrates nothing: those servers have the tables of their own version in mind. */
export async function openPostgresReader(address: PostgresAddress): Promise<Source> {
  const location = `PostgreSQL, ${address.name}`;
  const db = kyselyOver(new Connections(address.servers, { size: 1, purpose: 'reader' }));
  try {
    await requireTables(db, location);
    await checkSchema(db, address.name);
  } catch (error) {
    await db.destroy();
    throw unusable(address.name, error);
  }
  return { location, db, close: () => db.destroy() };
}

/** The same, and nothing changes in it: all is read in one transaction, as it was when that began. */
export async function openPostgresSnapshot(address: PostgresAddress): Promise<Source> {
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
