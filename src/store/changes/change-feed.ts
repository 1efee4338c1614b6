import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { readBounded, sizeOf, upTo } from '../bounded-read.js';
import type { Dialect } from '../dialect.js';
import type { Tables } from '../schema/tables.js';
import { type AccountChange, changeFromRow } from './account-history.js';
import { readKind } from './change-kind.js';
import { BEGINNING, changesAfter, type Position } from './changes-after.js';

type SizedRow = Selectable<Tables['account_history']> & { readonly size: number };

export interface FeedEntry extends AccountChange {
  readonly position: Position;
  readonly accountId: string;
}

export type CountableEntry = Pick<FeedEntry, 'position' | 'at' | 'kind' | 'changes'>;

/** Behind every change. */
const THE_END: Position = { turn: Number.MAX_SAFE_INTEGER, seq: 0 };

/** From a request's moment to its commit, with some skew of clocks: longer than a request may take. */
const MAX_DELAY_MS = 15_000;

/** Of the changes in the index of moments, so that looking for a clock that was set back costs little where none was. */
const LOOK_FOR_EARLIER = 1_000;

/** All changes of a tenant in one order that no reader ever has to correct. */
export class ChangeFeed {
  readonly #db: Kysely<Tables>;
  readonly #horizon: RawBuilder<number>;

  constructor(db: Kysely<Tables>, { feedHorizon }: Dialect) {
    this.#db = db;
    this.#horizon = feedHorizon;
  }

  async page(tenantId: number, after: Position, limit: number): Promise<FeedEntry[]> {
    const others = sql`turn, seq, account_id, revision, kind, at, request_id, key_id`;
    const rows = await this.#read<SizedRow>(tenantId, others, after, limit);
    return rows.map((row) => ({
      position: { turn: row.turn, seq: row.seq },
      accountId: row.account_id,
      ...changeFromRow(row),
    }));
  }

  /** Only what is counted of them. */
  async countable(tenantId: number, after: Position, limit: number): Promise<CountableEntry[]> {
    const others = sql`turn, seq, revision, kind, at`;
    const rows = await this.#read<SizedRow>(tenantId, others, after, limit);
    return rows.map((row) => ({
      position: { turn: row.turn, seq: row.seq },
      at: row.at,
      kind: readKind(row).kind,
      changes: JSON.parse(row.changes),
    }));
  }

  /** Whether anything comes behind this place, be it readable yet or not. */
  async hasMore(tenantId: number, after: Position): Promise<boolean> {
    const stretch = { from: after, direction: 'asc', limit: 1, where: sql`1 = 1` } as const;
    const next = changesAfter(tenantId, sql`turn, seq`, stretch);
    return (await next.execute(this.#db)).rows.length > 0;
  }

  /** The last place that can be read now. */
  async end(tenantId: number): Promise<Position> {
    const query = this.#readable(tenantId).select(['turn', 'seq']);
    return (
      (await query.orderBy('turn', 'desc').orderBy('seq', 'desc').limit(1).executeTakeFirst()) ?? BEGINNING
    );
  }

  /** The place before the newest changes that can be read now, so many of them. */
  async beforeLast(tenantId: number, count: number): Promise<Position> {
    const where = sql`turn < ${this.#horizon}`;
    const stretch = { from: THE_END, direction: 'desc', limit: count, where } as const;
    const { rows } = await changesAfter<Position>(tenantId, sql`turn, seq`, stretch).execute(this.#db);
    const oldest = rows.at(-1);
    return oldest === undefined ? BEGINNING : { turn: oldest.turn, seq: oldest.seq - 1 };
  }

  /** A place before every change that was made at this moment or later, and not long before. */
  async before(tenantId: number, at: number): Promise<Position> {
    const moment = at - MAX_DELAY_MS;
    const some = this.#readable(tenantId).select(['turn', 'seq']).where(sql<boolean>`seq % 64 = 0`);
    const earlier = some.where('at', '<', moment).orderBy('at', 'desc').limit(1);
    const last = await earlier.executeTakeFirst();
    if (last === undefined) return BEGINNING;
    // Where the clock was set back, it has passed this moment more than once: the first time counts.
    const later = some.where('at', '>=', moment).orderBy('at').limit(LOOK_FOR_EARLIER);
    const first = await this.#db
      .selectFrom(later.as('looked'))
      .select(['turn', 'seq'])
      .where(isBefore(last))
      .orderBy('turn')
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst();
    if (first === undefined) return last;
    const before = some.where(isBefore(first)).orderBy('turn', 'desc').orderBy('seq', 'desc').limit(1);
    return (await before.executeTakeFirst()) ?? BEGINNING;
  }

  async #read<Row extends Pick<SizedRow, 'turn' | 'seq' | 'changes' | 'size'>>(
    tenantId: number,
    others: RawBuilder<unknown>,
    from: Position,
    limit: number,
  ): Promise<readonly Row[]> {
    const stretch = { direction: 'asc', where: sql`turn < ${this.#horizon}` } as const;
    const { rows } = await readBounded<'changes', Row>(limit, 'changes', async (count, bytes, last) => {
      const columns = sql`${others}, ${sizeOf('changes')} as size, ${upTo(bytes, 'changes')} as changes`;
      const changes = changesAfter<Row>(tenantId, columns, { ...stretch, from: last ?? from, limit: count });
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

function isBefore({ turn, seq }: Position): RawBuilder<boolean> {
  return sql`(turn, seq) < (${turn}, ${seq})`;
}
