import type { Kysely, Transaction } from 'kysely';
import type { JsonValue } from '../../domain/json.js';
import { type Sender, withSenders } from '../runs/senders.js';
import type { Tables } from '../schema/tables.js';

/** Runs a transaction that changes data other processes cache. The new version makes their caches reload. */
export function changeConfiguration<T>(
  db: Kysely<Tables>,
  work: (db: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    // The first statement takes the write lock, so that what `work` reads cannot change before it writes.
    await transaction
      .updateTable('configuration')
      .set((set) => ({ version: set('version', '+', 1) }))
      .execute();
    return work(transaction);
  });
}

/** The author of a change: a key or user by a request, or the operator on the command line, without either. */
export interface Actor {
  readonly at: number;
  readonly senderId: string | null;
  readonly requestId: string | null;
}

export interface AuditedChange {
  readonly action: string;
  readonly subject: string;
  readonly from: JsonValue;
  readonly to: JsonValue;
}

/** Its source is null on the command line. */
export interface AuditEntry extends Actor, AuditedChange, Sender {
  readonly id: number;
}

export function commandLine(): Actor {
  return { at: Date.now(), senderId: null, requestId: null };
}

/** Adds an audit entry in the transaction of the change, so that no change is without one. */
export async function recordChange(
  db: Transaction<Tables>,
  tenantId: number,
  by: Actor,
  { action, subject, from, to }: AuditedChange,
): Promise<void> {
  const row = {
    tenant_id: tenantId,
    at: by.at,
    key_id: by.senderId,
    request_id: by.requestId,
    action,
    subject,
    value_before: from === null ? null : JSON.stringify(from),
    value_after: to === null ? null : JSON.stringify(to),
  };
  await db.insertInto('audit').values(row).execute();
}

/** The entries with an id below `before`, newest first. */
export async function readAudit(
  db: Kysely<Tables>,
  tenantId: number,
  before: number | undefined,
  limit: number,
): Promise<AuditEntry[]> {
  let query = db.selectFrom('audit').selectAll().where('tenant_id', '=', tenantId);
  if (before !== undefined) query = query.where('id', '<', before);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  const entries = rows.map((row) => ({
    id: row.id,
    runId: null,
    at: row.at,
    senderId: row.key_id,
    requestId: row.request_id,
    action: row.action,
    subject: row.subject,
    from: row.value_before === null ? null : JSON.parse(row.value_before),
    to: row.value_after === null ? null : JSON.parse(row.value_after),
  }));
  return (await withSenders(db, tenantId, entries)).map(({ runId, ...entry }) => entry);
}
