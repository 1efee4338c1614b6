import { sql } from 'kysely';
import type { PostgresAddress } from '../database-url.js';
import { schemaVersion } from '../schema/migrate.js';
import { allMigrations } from '../schema/migrations.js';
import { ConnectionPools } from './connection-pools.js';
import { kyselyOver } from './kysely-database.js';
import { unusable } from './postgres-errors.js';
import { SERVER_NAME } from './prepare-session.js';

export interface PostgresInspection {
  readonly serverVersion: string;
  readonly schemaVersion: number;
  readonly knownVersion: number;
  /** Settings of the server under which a commit may not survive a power cut. */
  readonly unsafeSettings: readonly string[];
  /** Sessions of serving processes, wherever they run. */
  readonly sessions: number;
}

/** Inspects a database without changing it. */
export async function inspectPostgres(address: PostgresAddress): Promise<PostgresInspection> {
  const db = kyselyOver(new ConnectionPools(address.servers, { size: 1, purpose: 'command' }));
  try {
    const { rows } = await sql<{ version: string; sessions: number; unsafe: string[] }>`
      select current_setting('server_version') as version,
        (select count(*) from pg_stat_activity
          where datname = current_database() and application_name = ${SERVER_NAME}) as sessions,
        (select coalesce(array_agg(name order by name), '{}') from pg_settings
          where name in ('fsync', 'full_page_writes') and setting = 'off') as unsafe
    `.execute(db);
    const { version = '', sessions = 0, unsafe = [] } = rows[0] ?? {};
    return {
      serverVersion: version,
      schemaVersion: await schemaVersion(db),
      knownVersion: allMigrations.length,
      unsafeSettings: unsafe,
      sessions,
    };
  } catch (error) {
    throw unusable(address.name, error);
  } finally {
    await db.destroy();
  }
}
