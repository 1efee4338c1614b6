import { type Kysely, sql, type Transaction } from 'kysely';
import { isLate } from '../../domain/source.js';
import type { EventType } from '../../domain/webhook.js';
import type { Dialect } from '../dialect.js';
import { type FeedEvent, insertEvent } from '../schema/feed-event.js';
import type { Tables } from '../schema/tables.js';
import { sourceFromRow } from '../tenants/sources.js';

/** A burst of rejections: so many records in so many minutes. */
export const BURST_RECORDS = 100;
export const BURST_MINUTES = 5;

const MINUTE_MS = 60_000;

/** A tenant whose webhooks want to know of conditions. */
export interface WatchedTenant {
  readonly tenantId: number;
  readonly sources: boolean;
  readonly rejections: boolean;
}

/**
 * Conditions that begin or end by themselves, or in many requests: they are looked for at intervals, by the process that
 * delivers to webhooks. Each becomes an event of the change feed once, because its state is stored together with it.
 */
export class FeedConditions {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
  }

  /** Those with a webhook for such events, also if it is paused: it gets them when it continues. */
  async watched(): Promise<WatchedTenant[]> {
    const query = this.#db.selectFrom('webhook').select(['tenant_id', 'events']);
    const rows = await query.where('state', '!=', 'disabled').execute();
    const eventsOf = new Map<number, Set<EventType>>();
    for (const { tenant_id, events } of rows) {
      const known = eventsOf.get(tenant_id) ?? new Set();
      eventsOf.set(tenant_id, known);
      for (const event of JSON.parse(events) as EventType[]) known.add(event);
    }
    return [...eventsOf]
      .map(([tenantId, events]) => ({
        tenantId,
        sources: events.has('source.late') || events.has('source.recovered'),
        rejections: events.has('rejections.burst'),
      }))
      .filter(({ sources, rejections }) => sources || rejections);
  }

  async check({ tenantId, sources, rejections }: WatchedTenant, now: number): Promise<void> {
    if (sources) await this.#checkSources(tenantId, now);
    if (rejections) await this.#checkRejections(tenantId, now);
  }

  async #checkSources(tenantId: number, now: number): Promise<void> {
    const rows = await this.#db
      .selectFrom('source')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where(({ eb, or }) => or([eb('expect_every_ms', 'is not', null), eb('late_since', 'is not', null)]))
      .execute();
    for (const row of rows) {
      const { name: source, late_since: lateSince } = row;
      const isLateNow = isLate(sourceFromRow(row), now);
      if (isLateNow === (lateSince !== null)) continue;
      const type = isLateNow ? 'source.late' : 'source.recovered';
      await this.#addOnce(tenantId, now, { type, source }, (db) =>
        db
          .updateTable('source')
          .set({ late_since: isLateNow ? now : null })
          .where('tenant_id', '=', tenantId)
          .where('name', '=', source)
          .where('late_since', isLateNow ? 'is' : 'is not', null)
          .executeTakeFirst(),
      );
    }
  }

  /** A burst ends when there are fewer rejections again; the next one is another event. */
  async #checkRejections(tenantId: number, now: number): Promise<void> {
    const { rejected, since } = await this.#db
      .selectFrom('tenant')
      .select((eb) => [
        'burst_since as since',
        eb
          .selectFrom('period_count')
          .select(({ fn }) => fn.coalesce(fn.sum<number>('refused'), sql<number>`0`).as('refused'))
          .where('tenant_id', '=', tenantId)
          .where('unit', '=', 'minute')
          .where('start', '>', now - BURST_MINUTES * MINUTE_MS)
          .as('rejected'),
      ])
      .where('id', '=', tenantId)
      .executeTakeFirstOrThrow();
    const isBurst = Number(rejected) >= BURST_RECORDS;
    if (isBurst === (since !== null)) return;
    const change = (db: Kysely<Tables>) =>
      db
        .updateTable('tenant')
        .set({ burst_since: isBurst ? now : null })
        .where('id', '=', tenantId)
        .where('burst_since', isBurst ? 'is' : 'is not', null)
        .executeTakeFirst();
    if (!isBurst) await change(this.#db);
    else {
      const event = { rejected: Number(rejected), seconds: BURST_MINUTES * 60 };
      await this.#addOnce(tenantId, now, { type: 'rejections.burst', ...event }, change);
    }
  }

  /** `change` notes the condition; it changes nothing if it is noted already. */
  async #addOnce(
    tenantId: number,
    at: number,
    event: FeedEvent,
    change: (db: Transaction<Tables>) => Promise<{ readonly numUpdatedRows: bigint } | undefined>,
  ): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      const { numUpdatedRows = 0n } = (await change(db)) ?? {};
      if (numUpdatedRows > 0n) await insertEvent(db, this.#dialect, { tenantId, at, event });
    });
  }
}
