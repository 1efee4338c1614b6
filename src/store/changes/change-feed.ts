import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { readBounded, sizeOf, upTo } from '../bounded-read.js';
import type { Dialect } from '../dialect.js';
import type { Tables } from '../schema/tables.js';
import { type AccountChange, changeFromRow } from './account-history.js';
import { readKind } from './change-kind.js';
import { BEGINNING, changesAfter, POSITION_COLUMNS, type Position } from './changes-after.js';

type SizedRow = Omit<Selectable<Tables['account_history']>, 'turn'> & Position & { readonly size: number };

export interface FeedEntry extends AccountChange {
  readonly position: Position;
  readonly accountId: string;
}

export type CountableEntry = Pick<FeedEntry, 'position' | 'at' | 'kind' | 'changes'>;

/** After every change. */
const LAST_POSITION: Position = { commitOrder: Number.MAX_SAFE_INTEGER, seq: 0 };

/**
 * The most time between the timestamp of a change and its commit: longer than a request may take, plus some clock skew
 * between servers.
 */
const MAX_DELAY_MS = 15_000;

/** How many entries of the time index are checked for a clock that was set back, which seldom happens. */
const MAX_CLOCK_CHECKS = 1_000;

/**
 * The change feed of a tenant: all changes in commit order. Readers store the position of the last change they have
 * read and continue after it. So no change may appear later at a position that a reader has already passed.
 * Transactions on PostgreSQL commit in any order, therefore:
 * - Each change is stored with the order number of its transaction (`Position.commitOrder`).
 * - The feed ends before the horizon, the lowest number that a running transaction may have (`Dialect.feedHorizon`).
 *
 *   transactions:  101 committed │ 102 running, 103 committed → the feed ends after 101 until 102 ends
 *
 * SQLite has one writer at a time, so its horizon is infinite. The stored column of `commitOrder` is `turn`.
 */
export class ChangeFeed {
  readonly #db: Kysely<Tables>;
  readonly #horizon: RawBuilder<number>;

  constructor(db: Kysely<Tables>, { feedHorizon }: Dialect) {
    this.#db = db;
    this.#horizon = feedHorizon;
  }

  async page(tenantId: number, after: Position, limit: number): Promise<FeedEntry[]> {
    const columns = sql`${POSITION_COLUMNS}, account_id, revision, kind, at, request_id, key_id`;
    const rows = await this.#read<SizedRow>(tenantId, columns, after, limit);
    return rows.map((row) => ({
      position: { commitOrder: row.commitOrder, seq: row.seq },
      accountId: row.account_id,
      ...changeFromRow(row),
    }));
  }

  /** Like `page`, with only those columns that statistics need. */
  async countable(tenantId: number, after: Position, limit: number): Promise<CountableEntry[]> {
    const columns = sql`${POSITION_COLUMNS}, revision, kind, at`;
    const rows = await this.#read<SizedRow>(tenantId, columns, after, limit);
    return rows.map((row) => ({
      position: { commitOrder: row.commitOrder, seq: row.seq },
      at: row.at,
      kind: readKind(row).kind,
      changes: JSON.parse(row.changes),
    }));
  }

  /** Whether there are changes after this position, readable or not yet. */
  async hasMore(tenantId: number, after: Position): Promise<boolean> {
    const range = { from: after, direction: 'asc', limit: 1, where: sql`1 = 1` } as const;
    const next = changesAfter(tenantId, POSITION_COLUMNS, range);
    return (await next.execute(this.#db)).rows.length > 0;
  }

  /** The position of the last change that is readable now. */
  async end(tenantId: number): Promise<Position> {
    const query = this.#readable(tenantId).select(['turn as commitOrder', 'seq']);
    return (
      (await query.orderBy('turn', 'desc').orderBy('seq', 'desc').limit(1).executeTakeFirst()) ?? BEGINNING
    );
  }

  /** The position before the newest `count` changes that are readable now. */
  async beforeLast(tenantId: number, count: number): Promise<Position> {
    const where = sql`turn < ${this.#horizon}`;
    const range = { from: LAST_POSITION, direction: 'desc', limit: count, where } as const;
    const { rows } = await changesAfter<Position>(tenantId, POSITION_COLUMNS, range).execute(this.#db);
    const oldest = rows.at(-1);
    return oldest === undefined ? BEGINNING : { commitOrder: oldest.commitOrder, seq: oldest.seq - 1 };
  }

  /**
   * A position before every change with this timestamp or a later one, and not long before. It uses the time index,
   * which holds one change in 64.
   */
  async before(tenantId: number, at: number): Promise<Position> {
    const time = at - MAX_DELAY_MS;
    const indexed = this.#readable(tenantId).where(sql<boolean>`seq % 64 = 0`);
    const positions = indexed.select(['turn as commitOrder', 'seq']);
    const earlier = positions.where('at', '<', time).orderBy('at', 'desc').limit(1);
    const last = await earlier.executeTakeFirst();
    if (last === undefined) return BEGINNING;
    // If the clock was set back, the same time occurs twice in the feed: start before the first occurrence.
    const later = indexed
      .select(['turn', 'seq'])
      .where('at', '>=', time)
      .orderBy('at')
      .limit(MAX_CLOCK_CHECKS);
    const first = await this.#db
      .selectFrom(later.as('scanned'))
      .select(['turn as commitOrder', 'seq'])
      .where(isBefore(last))
      .orderBy('turn')
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst();
    if (first === undefined) return last;
    const before = positions.where(isBefore(first)).orderBy('turn', 'desc').orderBy('seq', 'desc').limit(1);
    return (await before.executeTakeFirst()) ?? BEGINNING;
  }

  async #read<Row extends Pick<SizedRow, 'commitOrder' | 'seq' | 'changes' | 'size'>>(
    tenantId: number,
    columns: RawBuilder<unknown>,
    from: Position,
    limit: number,
  ): Promise<readonly Row[]> {
    const range = { direction: 'asc', where: sql`turn < ${this.#horizon}` } as const;
    const { rows } = await readBounded<'changes', Row>(limit, 'changes', async (count, bytes, last) => {
      const sized = sql`${columns}, ${sizeOf('changes')} as size, ${upTo(bytes, 'changes')} as changes`;
      const changes = changesAfter<Row>(tenantId, sized, { ...range, from: last ?? from, limit: count });
      return (await changes.execute(this.#db)).rows;
    });
    return rows;
  }

  #readable(tenantId: number) {
    return this.#db
      .selectFrom('account_history')
      .where('tenant_id', '=', tenantId)
      .where('turn', '<', this.#horizon);
  }
}

function isBefore({ commitOrder, seq }: Position): RawBuilder<boolean> {
  return sql`(turn, seq) < (${commitOrder}, ${seq})`;
}
