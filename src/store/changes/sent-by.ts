import { type RawBuilder, sql } from 'kysely';
import { CONSOLE_SOURCE, isUserId } from '../../domain/user.js';
import { isByUser } from '../runs/is-by-user.js';

/** What sent a change or rejection; undefined parts match all. */
export interface SentBy {
  readonly runId?: number | undefined;
  readonly source?: string | undefined;
  readonly keyId?: string | undefined;
  readonly userId?: string | undefined;
  readonly requestId?: string | undefined;
}

/**
 * Condition on `change_set` or `rejection`. The source is that of the run, or without a run that of the key or of all
 * users.
 */
export function sentBy(
  tenantId: number,
  { runId, source, keyId, userId, requestId }: SentBy,
): RawBuilder<boolean> {
  const parts: RawBuilder<boolean>[] = [sql`1 = 1`];
  if (runId !== undefined) parts.push(sql`run_id = ${runId}`);
  // The column has both: the id of a user is none of a key.
  if (keyId !== undefined) parts.push(isUserId(keyId) ? sql`1 = 0` : sql`key_id = ${keyId}`);
  if (userId !== undefined) parts.push(isUserId(userId) ? sql`key_id = ${userId}` : sql`1 = 0`);
  if (requestId !== undefined) parts.push(sql`request_id = ${requestId}`);
  if (source !== undefined) {
    const ofTenant = sql`tenant_id = ${tenantId} and source = ${source}`;
    const byUser = source === CONSOLE_SOURCE ? sql`${isByUser('key_id')} or` : sql``;
    parts.push(sql`
      case when run_id is null
      then ${byUser} exists (select 1 from api_key where api_key.id = key_id and ${ofTenant})
      else exists (select 1 from run where run.id = run_id and ${ofTenant}) end`);
  }
  return sql`(${sql.join(parts, sql` and `)})`;
}
