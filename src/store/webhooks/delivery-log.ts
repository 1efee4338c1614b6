import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../schema/tables.js';

/** One attempt to deliver a batch, or several that were taken within a second. */
export interface Delivery {
  readonly at: number;
  /** Of the last batch. */
  readonly messageId: string;
  readonly attempt: number;
  readonly deliveries: number;
  readonly events: number;
  /** Null if there was no answer. */
  readonly status: number | null;
  /** Null if it was taken. */
  readonly error: string | null;
  readonly tookMs: number;
  readonly answer: string | null;
}

export interface WebhookDelivery extends Delivery {
  readonly webhookId: string;
  readonly tenantId: number;
}

export interface StoredDelivery extends Delivery {
  readonly id: number;
}

/** A webhook that has more deliveries shows the latest ones. */
const KEPT_PER_WEBHOOK = 1_000;
/** A statement can have some tens of thousands of parameters. */
const ROWS_PER_INSERT = 500;

/** The latest deliveries of each webhook. */
export class DeliveryLog {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Adds a delivery that no lease is needed for. */
  add(delivery: WebhookDelivery): Promise<void> {
    return this.#db.transaction().execute((db) => storeDeliveries(db, [delivery]));
  }

  /** The deliveries of a webhook with an id below `before`, newest first. */
  async page(
    tenantId: number,
    webhookId: string,
    before: number | undefined,
    limit: number,
  ): Promise<StoredDelivery[]> {
    // Of all ids of the webhook, which are few: in the order of the primary key, those of others would be read too.
    let ids = this.#db.selectFrom('webhook_delivery').select('id').where('webhook_id', '=', webhookId);
    if (before !== undefined) ids = ids.where('id', '<', before);
    const rows = await this.#db
      .selectFrom('webhook_delivery')
      .selectAll()
      .where('id', 'in', ids.orderBy(sql`id + 0`, 'desc').limit(limit))
      .where(sql`tenant_id + 0`, '=', tenantId)
      .orderBy('id', 'desc')
      .execute();
    return rows.map((row) => ({
      id: row.id,
      at: row.at,
      messageId: row.message_id,
      attempt: row.attempt,
      deliveries: row.deliveries,
      events: row.events,
      status: row.status,
      error: row.error,
      tookMs: row.took_ms,
      answer: row.answer,
    }));
  }
}

/** Also deletes those of webhooks that were removed meanwhile, and all but the newest of each webhook. */
export async function storeDeliveries(
  db: Transaction<Tables>,
  deliveries: readonly WebhookDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map((one) => ({
    tenant_id: one.tenantId,
    webhook_id: one.webhookId,
    at: one.at,
    message_id: one.messageId,
    attempt: one.attempt,
    deliveries: one.deliveries,
    events: one.events,
    status: one.status,
    error: one.error,
    took_ms: one.tookMs,
    answer: one.answer,
  }));
  for (let i = 0; i < rows.length; i += ROWS_PER_INSERT)
    await db
      .insertInto('webhook_delivery')
      .values(rows.slice(i, i + ROWS_PER_INSERT))
      .execute();
  const webhookIds = [...new Set(deliveries.map((one) => one.webhookId))];
  await db
    .deleteFrom('webhook_delivery')
    .where('webhook_id', 'in', webhookIds)
    .where(({ not, exists, selectFrom }) => {
      const webhook = selectFrom('webhook').select('webhook.id');
      return not(exists(webhook.whereRef('webhook.id', '=', 'webhook_delivery.webhook_id')));
    })
    .execute();
  for (const webhookId of webhookIds) {
    await db
      .deleteFrom('webhook_delivery')
      .where('webhook_id', '=', webhookId)
      .where('id', '<=', (select) =>
        select
          .selectFrom('webhook_delivery')
          .select('id')
          .where('webhook_id', '=', webhookId)
          .orderBy('id', 'desc')
          .limit(1)
          .offset(KEPT_PER_WEBHOOK),
      )
      .execute();
  }
}
