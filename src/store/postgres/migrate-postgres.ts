import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { StoreUnusable } from '../errors.js';
import { migrate } from '../schema/migrate.js';
import type { Migration, MigrationProgress } from '../schema/migrations.js';
import type { Tables } from '../schema/tables.js';
import { ConnectionPools } from './connection-pools.js';
import { kyselyOver } from './kysely-database.js';
import { SERVING_LOCK } from './prepare-session.js';

/** An arbitrary number that no other program uses for a lock in this database: the letters of "acsync". */
const MIGRATION_LOCK = 0x616373796e63;
const OLDEST_VERSION = 14;
const LOCK_NOT_AVAILABLE = '55P03';
const MAX_ATTEMPTS = 30;
const MAX_CHECKS = 20;
const CHECK_INTERVAL_MS = 100;

/**
 * Migrates on a connection of its own. Processes that start together migrate one after another, and the later ones have
 * nothing left to do. A step that waits for a table lock gives up after a second and tries again, because all other
 * statements on the table queue after a waiting lock.
 */
export async function migratePostgres(
  servers: readonly string[],
  migrations: readonly Migration[],
  onProgress?: (progress: MigrationProgress) => void,
): Promise<void> {
  const db = kyselyOver(new ConnectionPools(servers, { size: 1, purpose: 'migration' }));
  try {
    await checkServer(db);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await migrate(db, { migrations, dialect: 'postgres', begin, rejectServers, onProgress });
        await continueCommitOrder(db);
        return;
      } catch (error) {
        if ((error as pg.DatabaseError).code !== LOCK_NOT_AVAILABLE || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  } finally {
    await db.destroy();
  }
}

/**
 * Sets the offset `feed_turn` so that new changes come after all stored ones. The commit order is derived from
 * transaction numbers. In a server into which data were copied or restored, these may start lower than the stored ones.
 */
export async function continueCommitOrder(db: Kysely<Tables>): Promise<void> {
  await sql`
    update configuration set feed_turn = latest - next + 1
    from (
      select coalesce(max(turn), 0) as latest, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next
      from tenant cross join lateral (
        select turn from change_set where tenant_id = tenant.id order by turn desc limit 1
      ) as last_turn
    ) as turns
    where latest >= next + feed_turn
  `.execute(db);
}

async function begin(connection: Kysely<Tables>): Promise<void> {
  await sql`begin`.execute(connection);
  await sql`set local lock_timeout = 0`.execute(connection);
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(connection);
  await sql`set local lock_timeout = '1s'`.execute(connection);
}

/** A server that has just stopped may still be listed for a moment. */
async function rejectServers(connection: Kysely<Tables>): Promise<void> {
  for (let checks = 1; (await countServers(connection)) > 0; checks += 1) {
    if (checks === MAX_CHECKS) {
      throw new StoreUnusable(
        'Servers of an earlier account-sync are connected to this database, and cannot run beside this version. ' +
          'Nothing was changed. Stop all of them, then start this version again.',
      );
    }
    await setTimeout(CHECK_INTERVAL_MS);
  }
}

/** A server holds the serving lock in shared mode for as long as it is connected. */
async function countServers(connection: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ servers: number }>`
    select count(distinct pid) as servers from pg_locks
    where locktype = 'advisory' and mode = 'ShareLock' and granted
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32) + objid::bigint = ${SERVING_LOCK} and objsubid = 1
  `.execute(connection);
  return rows[0]?.servers ?? 0;
}

async function checkServer(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding
  `.execute(db);
  const { version = 0, encoding = '' } = rows[0] ?? {};
  const major = Math.floor(version / 10_000);
  if (major < OLDEST_VERSION) {
    throw new StoreUnusable(`PostgreSQL ${major} is too old: ${OLDEST_VERSION} or newer is needed.`);
  }
  if (encoding !== 'UTF8') {
    throw new StoreUnusable(`The database has the encoding ${encoding}. Create one with: encoding 'UTF8'.`);
  }
}
