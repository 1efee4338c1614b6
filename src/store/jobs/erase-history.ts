import { type Kysely, sql } from 'kysely';
import { fitting, sizeOf } from '../bounded-read.js';
import { NOT_YET_ERASED, USUAL_KIND } from '../changes/change-kind.js';
import type { Dialect } from '../dialect.js';
import { REST, rest } from '../pacing.js';
import type { Tables } from '../schema/tables.js';

const CHANGES_PER_PAGE = 500;

/**
 * Erases the values in an account's history before the account itself is deleted. Each page is a range of the primary
 * key and a short transaction of its own, whatever the length of the history and the statistics of PostgreSQL. After an
 * interruption the erased pages stay erased and the account still exists, so the next attempt continues with the rest.
 */
export async function eraseHistory(
  db: Kysely<Tables>,
  dialect: Dialect,
  tenantId: number,
  accountId: string,
): Promise<void> {
  for (let after = 0; ; ) {
    const startedAt = performance.now();
    const ofAccount = sql`tenant_id = ${tenantId} and account_id = ${accountId} and revision > ${after}`;
    const { rows } = await sql<{ revision: number; size: number }>`
      select revision, ${sizeOf('changes')} as size from account_history
      where ${ofAccount} and ${sql.raw(NOT_YET_ERASED)} order by revision limit ${CHANGES_PER_PAGE}
    `.execute(db);
    const last = rows[fitting(rows) - 1];
    if (last === undefined) return;
    // The condition is repeated: another deletion of the same account may have erased the page since it was read.
    await sql`
      update account_history
      set kind = 'erased ' || ${sql.raw(USUAL_KIND)}, changes = ${sql.raw(dialect.erasedChanges)}
      where ${ofAccount} and revision <= ${last.revision} and ${sql.raw(NOT_YET_ERASED)}
    `.execute(db);
    after = last.revision;
    await rest(REST.awaited * (performance.now() - startedAt));
  }
}
