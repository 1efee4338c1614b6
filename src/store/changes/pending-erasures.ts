import type { Kysely } from 'kysely';
import { ERASED, type FieldChanges } from '../../domain/account.js';
import type { Change } from '../schema/change-set.js';
import type { Tables } from '../schema/tables.js';

/**
 * Hides values of deleted accounts that a job has yet to erase. Rows of `erasure` stay for a while after the job is
 * done with them, so that they also cover changes that were read just before.
 */
export async function hidePending<T extends Change>(
  db: Kysely<Tables>,
  tenantId: number,
  changes: readonly T[],
): Promise<T[]> {
  const pending = db.selectFrom('erasure').where('tenant_id', '=', tenantId);
  // Mostly there are none, and then a query with many ids would take longer than all others of a page.
  if ((await pending.select('revision').limit(1).executeTakeFirst()) === undefined) return [...changes];
  const ids = new Set(changes.flatMap(({ accountId, isErased }) => (isErased ? [] : [accountId])));
  if (ids.size === 0) return [...changes];
  const rows = await pending
    .select(['account_id', 'revision'])
    .where('account_id', 'in', [...ids])
    .execute();
  const deletedAt = new Map(rows.map(({ account_id, revision }) => [account_id, revision]));
  return changes.map((change) => {
    const isPending = !change.isErased && change.revision < (deletedAt.get(change.accountId) ?? 0);
    return isPending ? { ...change, isErased: true, changes: withoutValues(change.changes) } : change;
  });
}

function withoutValues(changes: FieldChanges): FieldChanges {
  return Object.fromEntries(
    Object.entries(changes).map(([name, [from, to]]) => [
      name,
      [from === null ? null : ERASED, to === null ? null : ERASED],
    ]),
  );
}
