import { type Kysely, sql } from 'kysely';
import { BEGINNING, type ChangeFeed, type FeedEntry, type Position } from '../reading/change-feed.js';
import type { Tables } from '../tables.js';
import { FieldUses } from './field-uses.js';
import { PeriodCounts } from './period-counts.js';

const ENTRIES_AT_ONCE = 1_000;

/**
 * Counts what has changed, behind the writers and at their cost of nothing: it follows the feed, and stores how far it
 * came together with what it counted, so that no end of a process makes it count anything twice or never.
 */
export class Tally {
  readonly #db: Kysely<Tables>;
  readonly #feed: ChangeFeed;

  constructor(db: Kysely<Tables>, feed: ChangeFeed) {
    this.#db = db;
    this.#feed = feed;
  }

  /** Counts what can be read of a tenant's feed; false where more is on its way. */
  async catchUp(tenantId: number, now: number): Promise<boolean> {
    while (await this.#step(tenantId, now));
    return !(await this.#feed.hasMore(tenantId, await this.#position(tenantId)));
  }

  /** False at the end of the feed, and where another process counts. */
  async #step(tenantId: number, now: number): Promise<boolean> {
    const from = await this.#position(tenantId);
    const entries = await this.#feed.page(tenantId, from, ENTRIES_AT_ONCE);
    const last = entries.at(-1);
    if (last === undefined) return false;
    const counted = count(entries);
    return this.#db.transaction().execute(async (db) => {
      // First of all: it takes the lock, and fails where another process has counted the same.
      const moved = await db
        .updateTable('tally')
        .set({ ...last.position, accounts: sql`accounts + ${counted.accounts}` })
        .where('tenant_id', '=', tenantId)
        .where('turn', '=', from.turn)
        .where('seq', '=', from.seq)
        .executeTakeFirst();
      if (moved.numUpdatedRows === 0n) return false;
      await counted.periods.store(db, tenantId, now);
      await counted.fields.store(db, tenantId);
      return true;
    });
  }

  async #position(tenantId: number): Promise<Position> {
    const query = this.#db.selectFrom('tally').select(['turn', 'seq']).where('tenant_id', '=', tenantId);
    const found = await query.executeTakeFirst();
    if (found !== undefined) return found;
    await this.#db
      .insertInto('tally')
      .values({ tenant_id: tenantId, ...BEGINNING, accounts: 0 })
      .onConflict((conflict) => conflict.column('tenant_id').doNothing())
      .execute();
    return BEGINNING;
  }
}

function count(entries: readonly FeedEntry[]) {
  const periods = new PeriodCounts();
  const fields = new FieldUses();
  let accounts = 0;
  for (const { at, kind, changes } of entries) {
    periods.add(at, kind);
    if (kind !== 'updated') accounts += kind === 'created' ? 1 : -1;
    for (const name of Object.keys(changes)) {
      const [from, to] = changes[name] as NonNullable<(typeof changes)[string]>;
      fields.add(name, from, to);
    }
  }
  return { accounts, periods, fields };
}
