import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Dialect } from '../dialect.js';
import { REST, rest } from '../pacing.js';
import type { Tables } from '../schema/tables.js';
import { changeConfiguration } from './configuration-changes.js';

/** Removed in pages: there may be many rows. */
const DATA = [
  'account',
  'account_value',
  'account_history',
  'tally',
  'pruning',
  'period_count',
  'field_use',
  'rejection',
  'audit',
] as const;
/** Removed together with the tenant: until then it can be found, and its keys can be seen. */
const DIRECTORY = ['tenant_host', 'attribute', 'blocked_id', 'session', 'api_key'] as const;

/** Every table whose rows are a tenant's; a test holds it to the schema. */
export const TENANT_TABLES = [...DATA, ...DIRECTORY];
type TenantTable = (typeof TENANT_TABLES)[number];

export type RemovalProgress = (table: TenantTable, done: number, total: number) => void;
export type RemovedRows = Readonly<Record<TenantTable | 'tenant', number>>;

const ROWS_AT_ONCE = 500;
/** Within a second all processes refuse the keys; within another they have written what they held of the tenant. */
const SETTLE_MS = 2_000;

/**
 * Removes a tenant with all that is its own. Where it is broken off, the tenant is still there, without a key that is
 * let in, and may be removed again.
 */
export async function removeTenant(
  db: Kysely<Tables>,
  dialect: Dialect,
  tenantId: number,
  onProgress: RemovalProgress,
): Promise<RemovedRows> {
  await refuseKeys(db, tenantId);
  await setTimeout(SETTLE_MS);
  const removed: Record<string, number> = {};
  for (const table of DATA) {
    const total = await countRows(db, table, tenantId);
    removed[table] = await removePages(db, dialect, table, tenantId, (done) =>
      onProgress(table, done, total),
    );
  }
  return changeConfiguration(db, async (transaction) => {
    // Who is writing now finishes, and nobody begins before the tenant is gone.
    await dialect.lockAccounts(transaction);
    for (const table of TENANT_TABLES) {
      removed[table] = (removed[table] ?? 0) + (await removeRows(transaction, table, tenantId));
    }
    const { numDeletedRows } = await transaction
      .deleteFrom('tenant')
      .where('id', '=', tenantId)
      .executeTakeFirstOrThrow();
    removed.tenant = Number(numDeletedRows);
    return removed as RemovedRows;
  });
}

function refuseKeys(db: Kysely<Tables>, tenantId: number): Promise<unknown> {
  return changeConfiguration(db, (transaction) =>
    transaction
      .updateTable('api_key')
      .set({ revoked_at: Date.now() })
      .where('tenant_id', '=', tenantId)
      .where('revoked_at', 'is', null)
      .execute(),
  );
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
      delete ${ofTenant} and ${dialect.isAmong(sql`${ofTenant} limit ${ROWS_AT_ONCE}`)} returning 1
    `.execute(db);
    done += rows.length;
    if (rows.length > 0) onProgress(done);
    if (rows.length < ROWS_AT_ONCE) return done;
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
