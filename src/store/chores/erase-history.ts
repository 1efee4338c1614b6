import { type Kysely, sql } from 'kysely';
import { ERASED_CHANGES, NOT_YET_ERASED, USUAL_KIND } from '../change-kind.js';
import type { Dialect } from '../migrations/all-migrations.js';
import type { Tables } from '../tables.js';
import { REST, rest } from './rest.js';

const CHANGES_AT_ONCE = 500;

/**
 * Takes the values out of an account's history, before it is deleted itself: in pages, so that nobody waits for long.
 * Where it is broken off, the account is still there, and may be deleted again.
 */
export async function eraseHistory(
  db: Kysely<Tables>,
  dialect: Dialect,
  tenantId: number,
  accountId: string,
): Promise<void> {
  for (;;) {
    const startedAt = performance.now();
    // Said twice: PostgreSQL asks again only the outer condition, where it has waited for another who erases the same.
    const { rows } = await sql`
      update account_history
      set kind = 'erased ' || ${sql.raw(USUAL_KIND)}, changes = ${sql.raw(ERASED_CHANGES[dialect])}
      where tenant_id = ${tenantId} and account_id = ${accountId} and revision in (
        select revision from account_history
        where tenant_id = ${tenantId} and account_id = ${accountId} and ${sql.raw(NOT_YET_ERASED)}
        order by revision limit ${CHANGES_AT_ONCE}
      ) and ${sql.raw(NOT_YET_ERASED)} returning 1
    `.execute(db);
    if (rows.length < CHANGES_AT_ONCE) return;
    await rest(REST.awaited * (performance.now() - startedAt));
  }
}
