import type { Transaction } from 'kysely';
import { accountIdsOf } from '../../domain/rejected-id.js';
import type { Tables } from '../tables.js';
import type { Rejection } from './rejections.js';

/** What was refused of an account that was deleted before this could be written is not written any more. */
export async function withoutErased(
  db: Transaction<Tables>,
  tenantId: number,
  rejections: readonly Rejection[],
): Promise<readonly Rejection[]> {
  const idsOf = ({ accountId }: Rejection) => accountIdsOf(accountId ?? '');
  const ids = [...new Set(rejections.flatMap(idsOf))];
  if (ids.length === 0) return rejections;
  const first = Math.min(...rejections.map(({ at }) => at));
  const deleted = await db
    .selectFrom('account as a')
    .innerJoin('account_history as h', (join) =>
      join.onRef('h.tenant_id', '=', 'a.tenant_id').onRef('h.account_id', '=', 'a.account_id'),
    )
    .select((select) => ['a.account_id', select.fn.max('h.at').as('at')])
    .where('a.tenant_id', '=', tenantId)
    .where('a.account_id', 'in', ids)
    // Of all others the history, which may be long, tells of no deletion since then.
    .where((or) => or.or([or('a.deleted_at', '>=', first), or('a.created_at', '>=', first)]))
    .where('h.kind', '=', 'deleted')
    .groupBy('a.account_id')
    .execute();
  const deletedAt = new Map(deleted.map(({ account_id, at }) => [account_id, at]));
  return rejections.filter((rejection) =>
    idsOf(rejection).every((id) => rejection.at > (deletedAt.get(id) ?? -1)),
  );
}
