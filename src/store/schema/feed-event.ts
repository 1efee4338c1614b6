import { sql, type Transaction } from 'kysely';
import type { Dialect } from '../dialect.js';
import type { Tables } from './tables.js';

/** An event in the change feed that is not a change of an account. Runs and sources are read when it is delivered. */
export type FeedEvent =
  | { readonly type: 'run.finished' | 'run.undone'; readonly run: number }
  | { readonly type: 'source.late' | 'source.recovered'; readonly source: string }
  | { readonly type: 'rejections.burst'; readonly rejected: number; readonly seconds: number };

/**
 * Stores an event as a change set without changes, so that it has its place among the changes. The transaction must have
 * written before: on SQLite, only the write lock keeps others from using the same number.
 */
export async function insertEvent(
  db: Transaction<Tables>,
  { commitOrder, nextSet }: Dialect,
  { tenantId, at, event }: { readonly tenantId: number; readonly at: number; readonly event: FeedEvent },
): Promise<void> {
  await sql`
    insert into change_set
      (tenant_id, turn, seq, at, request_id, key_id, created, updated, deleted, fields, entries, event)
    select ${tenantId}, ${commitOrder} + feed_turn, ${nextSet}, ${at}, '', '', 0, 0, 0, '{}',
      ${Buffer.from('\n')}, ${JSON.stringify(event)}
    from configuration`.execute(db);
}
