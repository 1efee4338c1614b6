import { sql, type Transaction } from 'kysely';
import type { Dialect } from '../migrations/all-migrations.js';
import type { Tables } from '../tables.js';

export interface RemovableEntry {
  readonly seq: number;
  readonly account_id: string;
  readonly revision: number;
}

/** Each by its key. On PostgreSQL what somebody erases right now is left where it is: nobody waits for the other. */
const REMOVAL = {
  sqlite: (_tenantId: number, entries: readonly RemovableEntry[]) => sql`
    delete from account_history where seq in (${sql.join(entries.map(({ seq }) => seq))}) returning 1`,
  postgres: (tenantId: number, entries: readonly RemovableEntry[]) => sql`
    delete from account_history where ctid = any(array(
      select place from unnest(
        ${entries.map(({ account_id }) => account_id)}::text[], ${entries.map(({ revision }) => revision)}::int[]
      ) as gone (id, its_revision)
      cross join lateral (
        select ctid as place from account_history
        where tenant_id = ${tenantId} and account_id = id and revision = its_revision for update skip locked
      ) as found
    )) returning 1`,
} as const;

/** Takes entries out of the history of a tenant, and tells how many. */
export async function removeEntries(
  db: Transaction<Tables>,
  dialect: Dialect,
  tenantId: number,
  entries: readonly RemovableEntry[],
): Promise<number> {
  if (entries.length === 0) return 0;
  return (await REMOVAL[dialect](tenantId, entries).execute(db)).rows.length;
}
