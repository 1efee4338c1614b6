import { sql } from 'kysely';
import type { DatabaseEnd } from '../copy-database.js';
import type { PostgresAddress } from '../database-url.js';
import { allMigrations } from '../migrations/all-migrations.js';
import { StoreUnusable } from '../store.js';
import { Connections, SERVING_NAME } from './connections.js';
import { inspectPostgres } from './inspect-postgres.js';
import { kyselyOver } from './kysely-database.js';
import { migratePostgres } from './migrate-postgres.js';
import { unusable } from './unusable.js';

export async function openPostgresEnd(address: PostgresAddress): Promise<DatabaseEnd> {
  const { sessions } = await inspectPostgres(address);
  if (sessions > 0) {
    throw new StoreUnusable(
      `account-sync servers are connected to ${address.name}, sessions: ${sessions}. Stop them first: ` +
        'what they write during a copy would be left behind.',
    );
  }
  await migratePostgres(address.servers, allMigrations).catch((error) => {
    throw unusable(address.name, error);
  });
  const options = { size: 1, applicationName: `${SERVING_NAME} copy`, hurry: false };
  const db = kyselyOver(new Connections(address.servers, options));
  return {
    location: `PostgreSQL, ${address.name}`,
    db,
    continueNumbers: async () => {
      for (const [table, column] of [
        ['tenant', 'id'],
        ['account_history', 'seq'],
      ] as const) {
        const last = sql`coalesce(max(${sql.ref(column)}), 0) + 1`;
        await sql`
          select setval(pg_get_serial_sequence(${table}, ${column}), ${last}, false) from ${sql.table(table)}
        `.execute(db);
      }
    },
    close: () => db.destroy(),
  };
}
