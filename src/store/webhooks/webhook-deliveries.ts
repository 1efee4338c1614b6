import { type Kysely, sql } from 'kysely';
import type { WebhookState } from '../../domain/webhook.js';
import type { Dialect } from '../dialect.js';
import type { Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';
import { changeConfiguration, recordChange } from '../tenants/configuration-changes.js';
import { storeDeliveries, type WebhookDelivery } from './delivery-log.js';
import { type Secrets, secretsOf, type Webhook, webhookFromRow } from './webhook-row.js';

/** An active webhook, with what only its delivery needs. */
export interface Endpoint extends Webhook {
  /** The end of a batch that was sent at the end of the feed; null if there is none. */
  readonly end: Position | null;
  readonly secretsAt: (time: number) => Secrets;
}

/** How far a webhook has come. */
export interface WebhookProgress
  extends Pick<
    Endpoint,
    | 'id'
    | 'generation'
    | 'position'
    | 'end'
    | 'failures'
    | 'failingSince'
    | 'retryAt'
    | 'lastError'
    | 'deliveredAt'
  > {
  /** The failures that were stored or read last: if others are stored now, the webhook was resumed. */
  readonly knownFailures: number;
}

export interface DeliveryState {
  /** Increases with every change of the settings of webhooks. */
  readonly version: number;
  /** Whether another process delivers. */
  readonly isTaken: boolean;
}

/** After this time without renewal, another process may deliver. */
export const LEASE_MS = 5_000;

/**
 * What the process that delivers to webhooks reads and stores. All processes of a database agree on it by a lease:
 *
 *   free ──take()──▶ held by one process, each record() renews it ──5 s without──▶ free
 *
 * Whatever is stored is stored together with a renewal of the lease: a process that has lost it stores nothing. Times of
 * the lease are those of the database, because the clocks of processes differ.
 */
export class WebhookDeliveries {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
  }

  async state(holder: string): Promise<DeliveryState> {
    const { rows } = await sql<{ version: number; taken: number }>`
      select version, case when holder = ${holder} or ${this.#isFree} then 0 else 1 end as taken
      from webhook_lease cross join configuration`.execute(this.#db);
    const [row] = rows;
    return { version: row?.version ?? 0, isTaken: row?.taken === 1 };
  }

  /** Takes or renews the lease; false if another process has it. */
  async take(holder: string): Promise<boolean> {
    const taken = await this.#db
      .updateTable('webhook_lease')
      .set({ holder, expires_at: this.#expiry })
      .where(({ eb, or }) => or([eb('holder', '=', holder), this.#isFree]))
      .executeTakeFirstOrThrow();
    return taken.numUpdatedRows > 0n;
  }

  /** Lets another process deliver at once. */
  async release(holder: string): Promise<void> {
    const free = this.#db.updateTable('webhook_lease').set({ holder: '', expires_at: 0 });
    await free.where('holder', '=', holder).execute();
  }

  /** All active webhooks. */
  async endpoints(): Promise<Endpoint[]> {
    const rows = await this.#db.selectFrom('webhook').selectAll().where('state', '=', 'active').execute();
    return rows.map((row) => {
      const { end_turn: commitOrder, end_seq: seq } = row;
      const end = commitOrder === null || seq === null ? null : { commitOrder, seq };
      return { ...webhookFromRow(row), end, secretsAt: (time) => secretsOf(row, time) };
    });
  }

  /** Where the feed of each tenant with active webhooks ends now. */
  async ends(): Promise<Map<number, Position>> {
    const { rows } = await sql<Position & { tenantId: number }>`
      select s.tenant_id as "tenantId", s.turn as "commitOrder", s.seq
      from (select distinct tenant_id from webhook where state = 'active') as t
      join change_set as s on s.seq = (
        select seq from change_set where tenant_id = t.tenant_id and turn < ${this.#dialect.feedHorizon}
        order by turn desc, seq desc limit 1
      )`.execute(this.#db);
    return new Map(rows.map(({ tenantId, commitOrder, seq }) => [tenantId, { commitOrder, seq }]));
  }

  /** Stores the progress of webhooks and what was delivered; false if another process has the lease. */
  record(
    holder: string,
    progress: readonly WebhookProgress[],
    deliveries: readonly WebhookDelivery[],
  ): Promise<boolean> {
    // In one order, so that the settings of a webhook, which may change meanwhile, cannot cause a deadlock.
    const sorted = progress.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return this.#db.transaction().execute(async (db) => {
      const renewed = await db
        .updateTable('webhook_lease')
        .set({ expires_at: this.#expiry })
        .where('holder', '=', holder)
        .executeTakeFirstOrThrow();
      if (renewed.numUpdatedRows === 0n) return false;
      for (const { id, generation, position, end, ...rest } of sorted) {
        await db
          .updateTable('webhook')
          .set({
            turn: position.commitOrder,
            seq: position.seq,
            end_turn: end?.commitOrder ?? null,
            end_seq: end?.seq ?? null,
            delivered_at: rest.deliveredAt,
          })
          .where('id', '=', id)
          .where('generation', '=', generation)
          .execute();
        if (rest.failures === 0 && rest.knownFailures === 0) continue;
        await db
          .updateTable('webhook')
          .set({
            failures: rest.failures,
            failing_since: rest.failingSince,
            retry_at: rest.retryAt,
            last_error: rest.lastError,
          })
          .where('id', '=', id)
          .where('generation', '=', generation)
          .where('failures', '=', rest.knownFailures)
          .execute();
      }
      await storeDeliveries(db, deliveries);
      return true;
    });
  }

  /** Pauses or disables an active webhook that cannot be delivered to; false if it has been changed meanwhile. */
  stop(
    holder: string,
    { id, tenantId, generation }: Pick<Endpoint, 'id' | 'tenantId' | 'generation'>,
    { state, reason, at }: { readonly state: WebhookState; readonly reason: string; readonly at: number },
  ): Promise<boolean> {
    return changeConfiguration(this.#db, async (db) => {
      const stopped = await db
        .updateTable('webhook')
        .set({ state, reason })
        .where('id', '=', id)
        .where('generation', '=', generation)
        .where('state', '=', 'active')
        .where(({ exists, selectFrom }) =>
          exists(selectFrom('webhook_lease').select('holder').where('holder', '=', holder)),
        )
        .executeTakeFirstOrThrow();
      if (stopped.numUpdatedRows === 0n) return false;
      const by = { at, senderId: null, requestId: null };
      const change = { action: `webhook.${state}`, subject: id, from: null, to: { reason } };
      await recordChange(db, tenantId, by, change);
      return true;
    });
  }

  get #expiry() {
    return sql<number>`${this.#dialect.clock} + ${sql.lit(LEASE_MS)}`;
  }

  /** An expiry that is much further away than a lease lasts was set by a clock that was wrong. */
  get #isFree() {
    const latest = sql`${this.#expiry} + ${sql.lit(LEASE_MS)}`;
    return sql<boolean>`(expires_at < ${this.#dialect.clock} or expires_at > ${latest})`;
  }
}
