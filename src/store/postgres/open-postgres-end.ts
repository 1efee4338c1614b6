import { sql } from 'kysely';
import { type DatabaseEnd, feedTurnOf } from '../copy/copy-database.js';
import type { PostgresAddress } from '../database-url.js';
import { requireTables } from '../migrate.js';
import { allMigrations } from '../migrations/all-migrations.js';
import { Connections } from './connections.js';
import { kyselyOver } from './kysely-database.js';
import { continueTurns, migratePostgres } from './migrate-postgres.js';
import { unusable } from './unusable.js';

export async function openPostgresEnd(address: PostgresAddress, mustExist: boolean): Promise<DatabaseEnd> {
  const location = `PostgreSQL, ${address.name}`;
  const db = kyselyOver(new Connections(address.servers, { size: 1, purpose: 'copy' }));
  try {
    // Before anything is migrated, to see that nobody serves from it.
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
      for (const [table, column] of [
        ['tenant', 'id'],
        ['account_history', 'seq'],
        ['rejection', 'id'],
        ['audit', 'id'],
      ] as const) {
        const last = sql`coalesce(max(${sql.ref(column)}), 0) + 1`;
        await sql`
          select setval(pg_get_serial_sequence(${table}, ${column}), ${last}, false) from ${sql.table(table)}
        `.execute(db);
      }
      await continueTurns(db);
      await sql`
        update configuration set feed_turn = greatest(
          feed_turn, ${await feedTurnOf(from)}::bigint - pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1
        )
      `.execute(db);
    },
    close: () => db.destroy(),
  };
}
