import { randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { generateSecret, MAX_WEBHOOKS, SECRET_OVERLAP_MS } from '../../domain/webhook.js';
import { TooManyWebhooks } from '../errors.js';
import type { Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';
import { type Actor, changeConfiguration, recordChange } from '../tenants/configuration-changes.js';
import {
  columnsOf,
  described,
  type Secrets,
  secretsOf,
  type Webhook,
  type WebhookRow,
  type WebhookSettings,
  webhookFromRow,
} from './webhook-row.js';

/** Webhooks by what an operator wants to know. */
export interface WebhookCounts {
  /** Active, without failures. */
  readonly delivering: number;
  readonly failing: number;
  /** By an administrator. */
  readonly paused: number;
  /** Paused or disabled by the service. */
  readonly stopped: number;
}

/** The webhooks of tenants. Their secrets are stored as they are, because messages are signed with them. */
export class Webhooks {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Oldest first. */
  async list(tenantId: number): Promise<Webhook[]> {
    const query = this.#db.selectFrom('webhook').selectAll().where('tenant_id', '=', tenantId);
    return (await query.orderBy('created_at').orderBy('id').execute()).map(webhookFromRow);
  }

  async find(tenantId: number, id: string): Promise<Webhook | undefined> {
    const row = await findRow(this.#db, tenantId, id);
    return row && webhookFromRow(row);
  }

  async secrets(tenantId: number, id: string, now: number): Promise<Secrets | undefined> {
    const row = await findRow(this.#db, tenantId, id);
    return row && secretsOf(row, now);
  }

  /** How many webhooks all tenants have, or one. */
  async counts(tenantId?: number): Promise<WebhookCounts> {
    const condition = sql<keyof WebhookCounts>`case
      when state = 'active' then case when failures = 0 then 'delivering' else 'failing' end
      when reason is null then 'paused' else 'stopped' end`;
    const query = this.#db
      .selectFrom('webhook')
      .select(({ fn }) => [condition.as('condition'), fn.countAll().as('count')])
      .groupBy('condition');
    const rows = await (tenantId === undefined ? query : query.where('tenant_id', '=', tenantId)).execute();
    const counts = { delivering: 0, failing: 0, paused: 0, stopped: 0 };
    for (const row of rows) counts[row.condition] = Number(row.count);
    return counts;
  }

  /** It gets the events after `position`. Rejects with `TooManyWebhooks` at the limit. */
  add(
    tenantId: number,
    settings: WebhookSettings,
    position: Position,
    by: Actor,
  ): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
    const secret = generateSecret(randomBytes);
    return changeConfiguration(this.#db, async (db) => {
      const existing = await db
        .selectFrom('webhook')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .execute();
      if (existing.length >= MAX_WEBHOOKS) throw new TooManyWebhooks(MAX_WEBHOOKS);
      const row = await db
        .insertInto('webhook')
        .values({
          id: `wh_${randomBytes(6).toString('hex')}`,
          tenant_id: tenantId,
          ...columnsOf(settings),
          state: 'active',
          secret,
          turn: position.commitOrder,
          seq: position.seq,
          created_at: by.at,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const to = described(row);
      await recordChange(db, tenantId, by, { action: 'webhook.create', subject: row.id, from: null, to });
      return { webhook: webhookFromRow(row), secret };
    });
  }

  /** Undefined if there is none. */
  change(
    tenantId: number,
    id: string,
    changes: Partial<WebhookSettings>,
    by: Actor,
  ): Promise<Webhook | undefined> {
    const { url, events, filter, batchSize } = changes;
    // A batch that is being sent would have other events then.
    const isOther = events !== undefined || filter !== undefined || batchSize !== undefined;
    const noEnd = isOther ? { end_turn: null, end_seq: null } : {};
    return this.#update(tenantId, id, 'webhook.change', by, (row) => ({
      ...columnsOf(changes),
      ...noEnd,
      // A new URL is tried at once.
      ...(url !== undefined && url !== row.url && NOT_FAILING),
    }));
  }

  pause(tenantId: number, id: string, by: Actor): Promise<Webhook | undefined> {
    return this.#update(tenantId, id, 'webhook.pause', by, () => ({ state: 'paused', reason: null }));
  }

  /** It continues at once where it was, also if it would have waited for its next attempt. */
  resume(tenantId: number, id: string, by: Actor): Promise<Webhook | undefined> {
    return this.#update(tenantId, id, 'webhook.resume', by, () => RESUMED);
  }

  /** It gets the events after `position`, also those that it had before. */
  replay(
    tenantId: number,
    id: string,
    { commitOrder, seq }: Position,
    by: Actor,
  ): Promise<Webhook | undefined> {
    return this.#update(tenantId, id, 'webhook.replay', by, (row) => ({
      ...RESUMED,
      turn: commitOrder,
      seq,
      end_turn: null,
      end_seq: null,
      generation: row.generation + 1,
    }));
  }

  /** Returns the new secret. The one before stays valid for a while. */
  async rotateSecret(
    tenantId: number,
    id: string,
    by: Actor,
  ): Promise<{ readonly webhook: Webhook; readonly secret: string } | undefined> {
    const secret = generateSecret(randomBytes);
    const webhook = await this.#update(tenantId, id, 'webhook.rotate', by, (row) => ({
      secret,
      previous_secret: row.secret,
      previous_until: by.at + SECRET_OVERLAP_MS,
    }));
    return webhook && { webhook, secret };
  }

  /** False if there is none. Its deliveries are removed with it. */
  remove(tenantId: number, id: string, by: Actor): Promise<boolean> {
    return changeConfiguration(this.#db, async (db) => {
      const before = await findRow(db, tenantId, id);
      if (before === undefined) return false;
      await db.deleteFrom('webhook').where('id', '=', id).execute();
      await db.deleteFrom('webhook_delivery').where('webhook_id', '=', id).execute();
      const change = { action: 'webhook.remove', subject: id, from: described(before), to: null };
      await recordChange(db, tenantId, by, change);
      return true;
    });
  }

  #update(
    tenantId: number,
    id: string,
    action: string,
    by: Actor,
    change: (row: WebhookRow) => Partial<WebhookRow>,
  ): Promise<Webhook | undefined> {
    return changeConfiguration(this.#db, async (db) => {
      const before = await findRow(db, tenantId, id);
      if (before === undefined) return undefined;
      const columns = change(before);
      const isEmpty = Object.keys(columns).length === 0;
      const after = isEmpty
        ? before
        : await db
            .updateTable('webhook')
            .set(columns)
            .where('id', '=', id)
            .returningAll()
            .executeTakeFirstOrThrow();
      const [from, to] = [described(before), described(after)];
      if (!isEmpty) await recordChange(db, tenantId, by, { action, subject: id, from, to });
      return webhookFromRow(after);
    });
  }
}

const NOT_FAILING = { failures: 0, failing_since: null, retry_at: null, last_error: null };
const RESUMED = { state: 'active', reason: null, ...NOT_FAILING };

function findRow(db: Kysely<Tables> | Transaction<Tables>, tenantId: number, id: string) {
  const query = db.selectFrom('webhook').selectAll().where('tenant_id', '=', tenantId);
  return query.where('id', '=', id).executeTakeFirst();
}
