import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema/tables.js';
import type { ChangeFeed, CountableEntry } from './change-feed.js';
import { BEGINNING, type Position } from './changes-after.js';
import { FieldUsage } from './field-usage.js';
import { PeriodCounts } from './period-counts.js';

const ENTRIES_PER_READ = 1_000;
/** Entries are counted in memory up to this number before a commit, because commits compete with account writes. */
const ENTRIES_PER_COMMIT = 20_000;

/**
 * Updates the statistics of a tenant from its change feed, so that account writes never wait for a shared counter. The
 * table `tally` stores the position up to which changes are counted:
 *
 *   change feed ──after the stored position──▶ add up in memory ──▶ one transaction: new position + counts
 *
 * - Position and counts are stored in one transaction, so a crash neither loses nor repeats a change.
 * - The transaction stores nothing if the position has moved since it was read: another process counted the same
 *   changes.
 */
export class StatisticsUpdate {
  readonly #db: Kysely<Tables>;
  readonly #feed: ChangeFeed;

  constructor(db: Kysely<Tables>, feed: ChangeFeed) {
    this.#db = db;
    this.#feed = feed;
  }

  /** Counts all changes that are readable now; false if there are others that cannot be read yet. */
  async catchUp(tenantId: number, now: number): Promise<boolean> {
    const end = await this.#feed.end(tenantId);
    for (;;) {
      const from = await this.#position(tenantId);
      const { counts, to } = await this.#count(tenantId, from, end);
      const isStored = to !== from && (await this.#store(tenantId, { from, to, counts, now }));
      if (!isStored) return !(await this.#feed.hasMore(tenantId, from));
    }
  }

  async #count(tenantId: number, from: Position, end: Position) {
    const counts = { entries: 0, accounts: 0, periods: new PeriodCounts(), fields: new FieldUsage() };
    let to = from;
    while (counts.entries < ENTRIES_PER_COMMIT && isBefore(to, end)) {
      const entries = await this.#feed.countable(tenantId, to, ENTRIES_PER_READ);
      if (entries.length === 0) break;
      for (const entry of entries) add(entry, counts);
      to = entries.at(-1)?.position ?? to;
    }
    await counts.fields.dropSurplus(this.#db, tenantId);
    return { counts, to };
  }

  /** False if another process has counted the same changes. */
  #store(
    tenantId: number,
    { from, to, counts, now }: { from: Position; to: Position; counts: Counts; now: number },
  ): Promise<boolean> {
    return this.#db.transaction().execute(async (db) => {
      // The first statement has to write: it takes the write lock.
      const moved = await db
        .updateTable('tally')
        .set({ turn: to.commitOrder, seq: to.seq, accounts: sql`accounts + ${counts.accounts}` })
        .where('tenant_id', '=', tenantId)
        .where('turn', '=', from.commitOrder)
        .where('seq', '=', from.seq)
        .executeTakeFirst();
      if (moved.numUpdatedRows === 0n) return false;
      await counts.periods.store(db, tenantId, now);
      await counts.fields.store(db, tenantId);
      return true;
    });
  }

  async #position(tenantId: number): Promise<Position> {
    const query = this.#db.selectFrom('tally').select(['turn as commitOrder', 'seq']);
    const found = await query.where('tenant_id', '=', tenantId).executeTakeFirst();
    if (found !== undefined) return found;
    await this.#db
      .insertInto('tally')
      .columns(['tenant_id', 'turn', 'seq', 'accounts'])
      // From `tenant`, so that a tenant that was removed meanwhile gets no row.
      .expression((from) =>
        from
          .selectFrom('tenant')
          .select(({ lit, ref }) => [
            ref('id').as('tenant_id'),
            lit(BEGINNING.commitOrder).as('turn'),
            lit(BEGINNING.seq).as('seq'),
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
  return (
    one.commitOrder < other.commitOrder || (one.commitOrder === other.commitOrder && one.seq < other.seq)
  );
}
