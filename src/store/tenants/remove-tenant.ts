import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Dialect } from '../dialect.js';
import { REST, rest } from '../pacing.js';
import type { Tables } from '../schema/tables.js';
import { changeConfiguration } from './configuration-changes.js';
import { clearCredentials } from './memberships.js';

/** Tables that are emptied in pages: there may be many rows. */
const DATA = [
  'account',
  'account_value',
  'pushed',
  'change_set',
  'erasure',
  'tally',
  'pruning',
  'period_count',
  'field_use',
  'rejection',
  'webhook_delivery',
  'run',
  'audit',
] as const;
/** Tables that are emptied together with `tenant`: until then the tenant and its keys can be shown. */
const DIRECTORY = [
  'tenant_host',
  'attribute',
  'blocked_id',
  'session',
  'membership',
  'one_time_link',
  'source',
  'webhook',
  'api_key',
] as const;

/** Every table with rows of a tenant; a test compares the list with the schema. */
export const TENANT_TABLES = [...DATA, ...DIRECTORY];
type TenantTable = (typeof TENANT_TABLES)[number];

export type RemovalProgress = (table: TenantTable, done: number, total: number) => void;
export type RemovedRows = Readonly<Record<TenantTable | 'tenant', number>>;

const ROWS_PER_PAGE = 500;
/** Within a second all processes reject the keys; within another they have written the requests they had accepted. */
const SETTLE_MS = 2_000;

/**
 * Removes a tenant with all its data: revokes its keys, disables its users, waits for running requests, deletes the
 * data in pages, and last the tenant itself. After an interruption the tenant still exists, without a valid key, and
 * can be removed again.
 */
export async function removeTenant(
  db: Kysely<Tables>,
  dialect: Dialect,
  tenantId: number,
  onProgress: RemovalProgress,
): Promise<RemovedRows> {
  await revokeAccess(db, tenantId);
  await setTimeout(SETTLE_MS);
  const removed: Record<string, number> = {};
  for (const table of DATA) {
    const total = await countRows(db, table, tenantId);
    removed[table] = await removePages(db, dialect, table, tenantId, (done) =>
      onProgress(table, done, total),
    );
  }
  return changeConfiguration(db, async (transaction) => {
    // Waits for running account writes, and holds new ones until the tenant is deleted.
    await dialect.lockAccounts(transaction);
    const users = await transaction
      .selectFrom('membership')
      .select('user_id')
      .where('tenant_id', '=', tenantId)
      .execute();
    for (const table of TENANT_TABLES) {
      removed[table] = (removed[table] ?? 0) + (await removeRows(transaction, table, tenantId));
    }
    const userIds = users.map(({ user_id }) => user_id);
    await clearCredentials(transaction, userIds);
    await removeStrangers(transaction, userIds);
    const { numDeletedRows } = await transaction
      .deleteFrom('tenant')
      .where('id', '=', tenantId)
      .executeTakeFirstOrThrow();
    removed.tenant = Number(numDeletedRows);
    return removed as RemovedRows;
  });
}

/** Nothing is received for the tenant any more, nor sent. */
function revokeAccess(db: Kysely<Tables>, tenantId: number): Promise<unknown> {
  return changeConfiguration(db, async (transaction) => {
    await transaction
      .updateTable('api_key')
      .set({ revoked_at: Date.now() })
      .where('tenant_id', '=', tenantId)
      .where('revoked_at', 'is', null)
      .execute();
    await transaction
      .updateTable('membership')
      .set({ disabled_at: Date.now() })
      .where('tenant_id', '=', tenantId)
      .where('disabled_at', 'is', null)
      .execute();
    // From now on no user can join.
    await transaction
      .updateTable('one_time_link')
      .set({ expires_at: Date.now() })
      .where('tenant_id', '=', tenantId)
      .execute();
    await transaction
      .updateTable('webhook')
      .set({ state: 'paused' })
      .where('tenant_id', '=', tenantId)
      .execute();
  });
}

/** Removes those who belong to no tenant any more, and have belonged to none that exists. */
async function removeStrangers(db: Transaction<Tables>, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const known = db.selectFrom('membership').select('user_id').where('user_id', 'in', userIds);
  await db.deleteFrom('app_user').where('id', 'in', userIds).where('id', 'not in', known).execute();
}

async function removePages(
  db: Kysely<Tables>,
  dialect: Dialect,
  table: TenantTable,
  tenantId: number,
  onProgress: (done: number) => void,
): Promise<number> {
  const ofTenant = sql`from ${sql.table(table)} where tenant_id = ${tenantId}`;
  for (let done = 0; ; ) {
    const startedAt = performance.now();
    const { rows } = await sql`
      delete ${ofTenant} and ${dialect.isAmong(sql`${ofTenant} limit ${ROWS_PER_PAGE}`)} returning 1
    `.execute(db);
    done += rows.length;
    if (rows.length > 0) onProgress(done);
    if (rows.length < ROWS_PER_PAGE) return done;
    await rest(REST.awaited * (performance.now() - startedAt));
  }
}

async function removeRows(db: Transaction<Tables>, table: TenantTable, tenantId: number): Promise<number> {
  const { rows } =
    await sql`delete from ${sql.table(table)} where tenant_id = ${tenantId} returning 1`.execute(db);
  return rows.length;
}

async function countRows(db: Kysely<Tables>, table: TenantTable, tenantId: number): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows from ${sql.table(table)} where tenant_id = ${tenantId}
  `.execute(db);
  return rows[0]?.rows ?? 0;
}
