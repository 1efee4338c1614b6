import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { fitting, PAGE_BYTES, sizeOf, upTo } from '../bounded-read.js';
import type { Dialect } from '../dialect.js';
import { findSenders, type Sender } from '../runs/senders.js';
import {
  type ChangeLine,
  decodeLine,
  endOfSet,
  linesOf,
  NUMBERS_PER_SET,
  type StoredChange,
  setOf,
} from '../schema/change-set.js';
import type { FeedEvent } from '../schema/feed-event.js';
import { BEGINNING, comparePositions, LAST_POSITION, type Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';
import type { AccountChange } from './account-history.js';
import { hidePending } from './pending-erasures.js';
import { rangeOfRun } from './range-of-run.js';
import { type SentBy, sentBy } from './sent-by.js';
import { CHANGES, isAmongSets, POSITION_COLUMNS, setsAfter } from './sets-after.js';

export interface FeedEntry extends AccountChange {
  readonly position: Position;
  readonly accountId: string;
}

/** A set of the feed, or some of its changes. Its `seq` is that of the first change it could have. */
export interface FeedSet extends Position, Sender {
  readonly at: number;
  readonly requestId: string;
  readonly senderId: string;
  readonly runId: number | null;
  /** An event that is not a change of an account; such a set has no changes. */
  readonly event: FeedEvent | null;
  readonly changes: readonly StoredChange[];
}

/** A line of the feed, and the row of its set without the lines. */
export interface FeedLine extends ChangeLine {
  readonly set: SetHeader;
}

interface SetHeader extends Position {
  readonly at: number;
  readonly requestId: string;
  readonly senderId: string;
  readonly runId: number | null;
  readonly changes: number;
  readonly size: number;
  /** Null if they are long: they are read when it is known which sets fit into a page. */
  readonly entries: Uint8Array | null;
  /** JSON of a `FeedEvent`. */
  readonly event: string | null;
}

export interface FeedRange {
  /** The range starts at this position, in the direction of reading. */
  readonly from: Position;
  readonly until?: Position;
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  /** Only sets that meet this condition. */
  readonly where?: RawBuilder<boolean>;
  /** Whether events that are not changes belong to the range. Each is a line without text. */
  readonly withEvents?: true;
}

/** Some of the changes after a position. */
export interface FoundChanges {
  readonly entries: readonly FeedEntry[];
  /** The position up to which the feed has been searched. */
  readonly position: Position;
  /** Whether the feed goes on after that position. */
  readonly hasMore: boolean;
}

/** Some of what the feed has after a position. */
export interface FoundSets {
  readonly sets: readonly FeedSet[];
  readonly isEnd: boolean;
}

export interface FeedLines {
  readonly lines: readonly FeedLine[];
  /** Whether the range has no further lines. */
  readonly isEnd: boolean;
}

/**
 * The most time between the timestamp of a change and its commit: longer than a request may take, plus some clock skew
 * between servers.
 */
const MAX_DELAY_MS = 15_000;

/** Sets that one search examines: reading their headers takes some milliseconds. */
const SETS_PER_SEARCH = 2_000;

/** Sets whose headers are read first: of batches, they have more changes than most pages. */
const FIRST_SETS = 32;

/** How many entries of the time index are checked for a clock that was set back, which seldom happens. */
const MAX_CLOCK_CHECKS = 1_000;

/**
 * The change feed of a tenant: all changes in commit order. Readers store the position of the last change they have
 * read and continue after it. So no change may appear later at a position that a reader has already passed.
 * Transactions on PostgreSQL commit in any order, therefore:
 * - Each change set is stored with the order number of its transaction (`Position.commitOrder`).
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

  async page(tenantId: number, after: Position, limit: number): Promise<FoundChanges> {
    const { lines, isEnd } = await this.read(tenantId, { from: after, direction: 'asc', limit });
    const entries = await this.#entries(tenantId, lines);
    return { entries, position: entries.at(-1)?.position ?? after, hasMore: !isEnd };
  }

  /** The changes after a position, and events that are not changes, as `FeedEvent` describes: `limit` together. */
  async sets(tenantId: number, after: Position, limit: number): Promise<FoundSets> {
    const range = { from: after, direction: 'asc', limit, withEvents: true } as const;
    const { lines, isEnd } = await this.read(tenantId, range);
    return { sets: await this.#sets(tenantId, lines), isEnd };
  }

  /**
   * The changes after a position that were sent by a run, source, key, user or request. Examines a bounded number of
   * sets.
   */
  async search(tenantId: number, after: Position, limit: number, by: SentBy): Promise<FoundChanges> {
    const range = by.runId === undefined ? undefined : await this.#rangeOf(tenantId, by.runId);
    if (by.runId !== undefined && range === undefined)
      return { entries: [], position: after, hasMore: false };
    const from = range !== undefined && comparePositions(range.from, after) > 0 ? range.from : after;
    const { end, isLast } = await this.#searchEnd(tenantId, from);
    const isBeyond = range !== undefined && comparePositions(range.until, end) <= 0;
    const until = isBeyond ? range.until : end;
    const where = sentBy(tenantId, by);
    const { lines, isEnd } = await this.read(tenantId, { from, until, direction: 'asc', limit, where });
    const entries = await this.#entries(tenantId, lines);
    const last = entries.at(-1)?.position ?? from;
    if (!isEnd) return { entries, position: last, hasMore: true };
    const position = comparePositions(from, until) > 0 ? from : until;
    return { entries, position, hasMore: !isLast && !isBeyond };
  }

  /** The lines of a range, bounded in number and bytes. */
  async read(tenantId: number, range: FeedRange): Promise<FeedLines> {
    const { from, until = LAST_POSITION, direction, limit } = range;
    const sign = direction === 'asc' ? 1 : -1;
    const isWithin = (position: Position) =>
      comparePositions(position, from) * sign > 0 && comparePositions(position, until) <= 0;
    const headers = await this.#headers(tenantId, range);
    const { sets, isCut } = chooseSets(headers, from, limit);
    const lines: FeedLine[] = [];
    for (const piece of inPieces(sets)) {
      if (lines.length > 0) await nextTurn();
      for (const found of await this.#linesOf(tenantId, piece)) {
        const ordered = direction === 'asc' ? found : found.reverse();
        lines.push(...ordered.filter(({ set, seq }) => isWithin({ commitOrder: set.commitOrder, seq })));
      }
    }
    return { lines: lines.slice(0, limit), isEnd: !isCut && lines.length <= limit };
  }

  async #entries(tenantId: number, lines: readonly FeedLine[]): Promise<FeedEntry[]> {
    const sets = await this.#sets(tenantId, lines);
    return sets.flatMap(({ commitOrder, at, requestId, senderId, runId, source, user, changes }) =>
      changes.map(({ seq, accountId, revision, kind, isErased, changes }) => {
        const change = { accountId, revision, kind, isErased, changes };
        return { position: { commitOrder, seq }, at, requestId, senderId, runId, source, user, ...change };
      }),
    );
  }

  async #sets(tenantId: number, lines: readonly FeedLine[]): Promise<FeedSet[]> {
    const headers = [...new Set(lines.map(({ set }) => set))];
    const changesOf = new Map<number, StoredChange[]>(headers.map(({ seq }) => [seq, []]));
    const stored = lines.filter(({ set }) => set.event === null).map((line) => decodeLine(line));
    const changes = await hidePending(this.#db, tenantId, stored);
    for (const change of changes) changesOf.get(setOf(change.seq))?.push(change);
    const senderOf = await findSenders(this.#db, tenantId, headers);
    return headers.map((set) => ({
      commitOrder: set.commitOrder,
      seq: set.seq,
      at: set.at,
      requestId: set.requestId,
      senderId: set.senderId,
      runId: set.runId,
      ...senderOf(set),
      event: set.event === null ? null : JSON.parse(set.event),
      changes: changesOf.get(set.seq) ?? [],
    }));
  }

  /** Where the changes of a run are; undefined if it has none yet. */
  async #rangeOf(tenantId: number, runId: number): Promise<{ from: Position; until: Position } | undefined> {
    const range = await rangeOfRun(this.#db, tenantId, runId);
    if (range === undefined) return undefined;
    const { first, last } = range;
    return { from: { commitOrder: first.commitOrder, seq: first.seq - 1 }, until: endOfSet(last) };
  }

  /** The end of the sets that one search examines, and whether there are no more readable ones. */
  async #searchEnd(tenantId: number, from: Position): Promise<{ end: Position; isLast: boolean }> {
    const range = {
      from: { commitOrder: from.commitOrder, seq: setOf(from.seq) - 1 },
      direction: 'asc',
      limit: SETS_PER_SEARCH,
      where: sql`turn < ${this.#horizon}`,
    } as const;
    const { rows } = await setsAfter<Position>(tenantId, POSITION_COLUMNS, range).execute(this.#db);
    const last = rows.at(-1);
    return { end: last === undefined ? from : endOfSet(last), isLast: rows.length < SETS_PER_SEARCH };
  }

  /** Whether there are change sets after this position, readable or not yet. */
  async hasMore(tenantId: number, after: Position): Promise<boolean> {
    const range = { from: after, direction: 'asc', limit: 1, where: sql`1 = 1` } as const;
    const next = setsAfter(tenantId, POSITION_COLUMNS, range);
    return (await next.execute(this.#db)).rows.length > 0;
  }

  /** The position of the last set that is stored, readable or not yet. */
  async lastSet(tenantId: number): Promise<Position> {
    const sets = this.#db.selectFrom('change_set').select(['turn as commitOrder', 'seq']);
    const last = sets
      .where('tenant_id', '=', tenantId)
      .orderBy('turn', 'desc')
      .orderBy('seq', 'desc')
      .limit(1);
    return (await last.executeTakeFirst()) ?? BEGINNING;
  }

  /** The position after all changes that are readable now. */
  async end(tenantId: number): Promise<Position> {
    const query = this.#readable(tenantId).select(['turn as commitOrder', 'seq']);
    const last = await query.orderBy('turn', 'desc').orderBy('seq', 'desc').limit(1).executeTakeFirst();
    return last === undefined ? BEGINNING : endOfSet(last);
  }

  /** The position before the newest `count` changes that are readable now. */
  async beforeLast(tenantId: number, count: number): Promise<Position> {
    const { lines } = await this.read(tenantId, { from: LAST_POSITION, direction: 'desc', limit: count });
    const oldest = lines.at(-1);
    return oldest === undefined ? BEGINNING : { commitOrder: oldest.set.commitOrder, seq: oldest.seq - 1 };
  }

  /** A position before every change with this timestamp or a later one, and not long before. */
  async before(tenantId: number, at: number): Promise<Position> {
    const time = at - MAX_DELAY_MS;
    const positions = this.#readable(tenantId).select(['turn as commitOrder', 'seq']);
    const earlier = positions.where('at', '<', time).orderBy('at', 'desc').limit(1);
    const last = await earlier.executeTakeFirst();
    if (last === undefined) return BEGINNING;
    // If the clock was set back, the same time occurs twice in the feed: start before the first occurrence.
    const later = this.#readable(tenantId)
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
    if (first === undefined) return endOfSet(last);
    const before = positions.where(isBefore(first)).orderBy('turn', 'desc').orderBy('seq', 'desc').limit(1);
    const previous = await before.executeTakeFirst();
    return previous === undefined ? BEGINNING : endOfSet(previous);
  }

  /** The sets of a range; the first may be partly outside of it. */
  async #headers(tenantId: number, range: FeedRange): Promise<SetHeader[]> {
    // Nothing may be left of the first one, and one more shows whether the range has ended.
    const most = range.limit + 2;
    if (most <= FIRST_SETS) return this.#firstHeaders(tenantId, range, most);
    const first = await this.#firstHeaders(tenantId, range, FIRST_SETS);
    const changes = first.slice(1, -1).reduce((sum, set) => sum + set.changes, 0);
    if (first.length < FIRST_SETS || changes >= range.limit) return first;
    return this.#firstHeaders(tenantId, range, most);
  }

  async #firstHeaders(tenantId: number, range: FeedRange, limit: number): Promise<SetHeader[]> {
    const { from, until, direction, where = sql`1 = 1`, withEvents = false } = range;
    const columns = sql`
      ${POSITION_COLUMNS}, at, request_id as "requestId", key_id as "senderId", run_id as "runId",
      case when event is null then ${CHANGES} else 1 end as changes, ${sizeOf('entries')} as size,
      ${upTo(Math.floor(PAGE_BYTES / limit), 'entries')} as entries, event`;
    const isBeforeEnd =
      until === undefined ? sql`1 = 1` : sql`(turn, seq) <= (${until.commitOrder}, ${until.seq})`;
    const sets = setsAfter<SetHeader>(tenantId, columns, {
      // The set that contains `from` belongs to the range.
      from: { commitOrder: from.commitOrder, seq: setOf(from.seq) + (direction === 'asc' ? -1 : 1) },
      direction,
      limit,
      where: sql`
        turn < ${this.#horizon} and ${isBeforeEnd} and ${where} and ${withEvents ? sql`1 = 1` : sql`event is null`}`,
    });
    return (await sets.execute(this.#db)).rows.slice();
  }

  async #linesOf(tenantId: number, sets: readonly SetHeader[]): Promise<FeedLine[][]> {
    const long = sets.filter(({ entries }) => entries === null).map(({ seq }) => seq);
    const query = this.#db.selectFrom('change_set').select(['seq', 'entries']);
    const rows = long.length === 0 ? [] : await query.where(isAmongSets(tenantId, long)).execute();
    const entriesOf = new Map(rows.map(({ seq, entries }) => [seq, entries]));
    return sets.map((set) => {
      const entries = set.entries ?? entriesOf.get(set.seq);
      // Removed meanwhile.
      if (entries === undefined) return [];
      if (set.event !== null) return [{ seq: set.seq, place: 0, text: '', set }];
      return Array.from(linesOf(set.seq, entries), ({ seq, place, text }) => ({ seq, place, text, set }));
    });
  }

  #readable(tenantId: number) {
    return this.#db
      .selectFrom('change_set')
      .where('tenant_id', '=', tenantId)
      .where('turn', '<', this.#horizon);
  }
}

/** The sets to read for a number of changes, bounded in bytes, of which the set that contains `from` is left out. */
function chooseSets(headers: readonly SetHeader[], from: Position, limit: number) {
  const isPartial = (set: SetHeader | undefined) =>
    set !== undefined && set.commitOrder === from.commitOrder && set.seq === setOf(from.seq);
  const partial = isPartial(headers[0]) ? 1 : 0;
  const others = headers.slice(partial);
  const fits = fitting(others);
  let changes = 0;
  let count = 0;
  for (; count < fits && changes < limit; count += 1) changes += others[count]?.changes ?? 0;
  return { sets: headers.slice(0, partial + count), isCut: partial + count < headers.length };
}

/** Sets whose lines are read before the event loop serves other requests. */
function* inPieces(sets: readonly SetHeader[]): Generator<readonly SetHeader[]> {
  let piece: SetHeader[] = [];
  let changes = 0;
  for (const set of sets) {
    if (piece.length > 0 && changes + set.changes > NUMBERS_PER_SET) {
      yield piece;
      piece = [];
      changes = 0;
    }
    piece.push(set);
    changes += set.changes;
  }
  if (piece.length > 0) yield piece;
}

function isBefore({ commitOrder, seq }: Position): RawBuilder<boolean> {
  return sql`(turn, seq) < (${commitOrder}, ${seq})`;
}
