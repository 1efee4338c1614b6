import { type Kysely, sql } from 'kysely';
import { type ChangeKind, noChanges } from '../schema/change-set.js';
import type { Tables } from '../schema/tables.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long the counts of each unit are kept. The counts of days are kept forever. */
export const UNITS = {
  minute: { length: MINUTE_MS, keptFor: 2 * DAY_MS },
  hour: { length: HOUR_MS, keptFor: 62 * DAY_MS },
  day: { length: DAY_MS, keptFor: Number.POSITIVE_INFINITY },
} as const;
export type Unit = keyof typeof UNITS;
export const UNIT_NAMES = Object.keys(UNITS) as readonly Unit[];

export type Counted = ChangeKind | 'refused';

export interface PeriodCount extends Readonly<Record<Counted, number>> {
  readonly start: number;
}

/** Numbers of changes and rejections by minute, hour and day. */
export class PeriodCounts {
  readonly #counts = new Map<string, Record<Counted, number> & { unit: Unit; start: number }>();

  add(at: number, what: Counted, times = 1): void {
    if (times === 0) return;
    for (const unit of UNIT_NAMES) {
      const { length } = UNITS[unit];
      const start = at - (at % length);
      const key = `${unit} ${start}`;
      const known = this.#counts.get(key);
      const count = known ?? { unit, start, ...noChanges(), refused: 0 };
      if (known === undefined) this.#counts.set(key, count);
      count[what] += times;
    }
  }

  /** Adds to the stored counts, and deletes those that are too old. */
  async store(db: Kysely<Tables>, tenantId: number, now: number): Promise<void> {
    for (const unit of ['minute', 'hour'] as const) {
      await db
        .deleteFrom('period_count')
        .where('tenant_id', '=', tenantId)
        .where('unit', '=', unit)
        .where('start', '<', now - UNITS[unit].keptFor)
        .execute();
    }
    const kept = [...this.#counts.values()]
      .filter(({ unit, start }) => start >= now - UNITS[unit].keptFor)
      // Always in the same order, so that two processes never deadlock.
      .sort((a, b) => (a.unit === b.unit ? a.start - b.start : a.unit < b.unit ? -1 : 1));
    for (const count of kept) {
      await db
        .insertInto('period_count')
        .values({ tenant_id: tenantId, ...count })
        .onConflict((conflict) =>
          conflict.columns(['tenant_id', 'unit', 'start']).doUpdateSet({
            created: sql`period_count.created + excluded.created`,
            updated: sql`period_count.updated + excluded.updated`,
            archived: sql`period_count.archived + excluded.archived`,
            restored: sql`period_count.restored + excluded.restored`,
            deleted: sql`period_count.deleted + excluded.deleted`,
            refused: sql`period_count.refused + excluded.refused`,
          }),
        )
        .execute();
    }
  }
}
