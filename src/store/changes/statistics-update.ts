import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema/tables.js';
import type { ChangeFeed, CountableEntry } from './change-feed.js';
import { BEGINNING, type Position } from './changes-after.js';
import { FieldUsage } from './field-usage.js';
import { PeriodCounts } from './period-counts.js';

const ENTRIES_AT_ONCE = 1_000;
/** Counted before they are stored: every commit takes its turn with those of accounts. */
const ENTRIES_PER_COMMIT = 20_000;

/**
 * Counts what has changed, behind the writers, who never wait for a counter: it follows the feed, and stores how far it
 * came together with what it counted, so that no end of a process makes it count anything twice or never.
 */
export class StatisticsUpdate {
  readonly #db: Kysely<Tables>;
  readonly #feed: ChangeFeed;

  constructor(db: Kysely<Tables>, feed: ChangeFeed) {
    this.#db = db;
    this.#feed = feed;
  }

  /** Counts what can be read of a tenant's feed by now; false where there is more. */
  async catchUp(tenantId: number, now: number): Promise<boolean> {
    const end = await this.#feed.end(tenantId);
    for (;;) {
      const from = await this.#position(tenantId);
      const { counts, place } = await this.#count(tenantId, from, end);
      const isStored = place !== from && (await this.#store(tenantId, { from, place, counts, now }));
      if (!isStored) return !(await this.#feed.hasMore(tenantId, from));
    }
  }

  async #count(tenantId: number, from: Position, end: Position) {
    const counts = { entries: 0, accounts: 0, periods: new PeriodCounts(), fields: new FieldUsage() };
    let place = from;
    while (counts.entries < ENTRIES_PER_COMMIT && isBefore(place, end)) {
      const entries = await this.#feed.countable(tenantId, place, ENTRIES_AT_ONCE);
      if (entries.length === 0) break;
      for (const entry of entries) add(entry, counts);
      place = entries.at(-1)?.position ?? place;
    }
    await counts.fields.dropSurplus(this.#db, tenantId);
    return { counts, place };
  }

  /** False where another process has counted the same. */
  #store(
    tenantId: number,
    { from, place, counts, now }: { from: Position; place: Position; counts: Counts; now: number },
  ): Promise<boolean> {
    return this.#db.transaction().execute(async (db) => {
      // First of all, since it takes the lock.
      const moved = await db
        .updateTable('tally')
        .set({ ...place, accounts: sql`accounts + ${counts.accounts}` })
        .where('tenant_id', '=', tenantId)
        .where('turn', '=', from.turn)
        .where('seq', '=', from.seq)
        .executeTakeFirst();
      if (moved.numUpdatedRows === 0n) return false;
      await counts.periods.store(db, tenantId, now);
      await counts.fields.store(db, tenantId);
      return true;
    });
  }

  async #position(tenantId: number): Promise<Position> {
    const query = this.#db.selectFrom('tally').select(['turn', 'seq']).where('tenant_id', '=', tenantId);
    const found = await query.executeTakeFirst();
    if (found !== undefined) return found;
    const { turn, seq } = BEGINNING;
    await this.#db
      .insertInto('tally')
      .columns(['tenant_id', 'turn', 'seq', 'accounts'])
      // None for a tenant that is gone.
      .expression((from) =>
        from
          .selectFrom('tenant')
          .select(({ lit, ref }) => [
            ref('id').as('tenant_id'),
            lit(turn).as('turn'),
            lit(seq).as('seq'),
            lit(0).as('accounts'),
          ])
          .where('id', '=', tenantId),
      )
      .onConflict((conflict) => conflict.column('tenant_id').doNothing())
      .execute();
    return BEGINNING;
  }
}

interface Counts {
  entries: number;
  accounts: number;
  readonly periods: PeriodCounts;
  readonly fields: FieldUsage;
}

function add({ at, kind, changes }: CountableEntry, counts: Counts): void {
  counts.entries += 1;
  counts.periods.add(at, kind);
  if (kind !== 'updated') counts.accounts += kind === 'created' ? 1 : -1;
  for (const name of Object.keys(changes)) {
    const [from, to] = changes[name] as NonNullable<(typeof changes)[string]>;
    counts.fields.add(name, from, to);
  }
}

function isBefore(one: Position, other: Position): boolean {
  return one.turn < other.turn || (one.turn === other.turn && one.seq < other.seq);
}
