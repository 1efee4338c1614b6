import { type Kysely, sql } from 'kysely';
import type { Account } from '../../domain/account.js';
import { readBounded, sizeOf, upTo } from '../bounded-read.js';
import type { Dialect } from '../dialect.js';
import { type AccountRow, accountFromRow, type Tables } from '../schema/tables.js';
import { type AccountFilter, holds, looksInside } from './account-filter.js';
import { CandidateSets, SCAN_BUDGET, type ScanBudget } from './candidate-sets.js';
import {
  keyOf,
  type Listing,
  orderBy,
  planByIndex,
  planBySet,
  type QueryPlan,
  type Segment,
  type SegmentKey,
  segmentsOf,
  stretch,
} from './listing-plan.js';

/** Where a page begins: the number of the segment, and the key behind which it goes on there; empty for the first. */
export type PageKey = readonly string[];

export interface AccountPage {
  readonly accounts: readonly Account[];
  /** Undefined at the end. */
  readonly next: PageKey | undefined;
}

export interface AccountCount {
  readonly accounts: number;
  /** Otherwise there are at least as many. */
  readonly isExact: boolean;
}

/** A count goes no further, so that it costs no more than a page. */
export const MAX_COUNT = 10_000;

const ALL_BUT_FIELDS = sql`
  a.account_id, a.parent_account_id, a.name, a.revision, a.created_at, a.updated_at, a.deleted_at`;

type SizedRow = AccountRow & { readonly size: number };

interface PagePlan extends QueryPlan {
  readonly isBounded: boolean;
  /** Where all have to be sorted for each piece, there is one. */
  readonly pieceRows?: number;
}

/** Pages of accounts by key, never by offset: what others write moves no account but the one whose key it changes. */
export class AccountPages {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;
  readonly #look: ScanBudget;
  readonly #sets: CandidateSets;

  constructor(db: Kysely<Tables>, dialect: Dialect, look = SCAN_BUDGET) {
    this.#db = db;
    this.#dialect = dialect;
    this.#look = look;
    this.#sets = new CandidateSets(db, dialect, look);
  }

  async page(tenantId: number, listing: Listing, limit: number, after: PageKey = []): Promise<AccountPage> {
    const segments = segmentsOf(listing);
    const [first = '0', ...key] = after;
    const accounts: Account[] = [];
    for (let number = Number(first); number < segments.length; number += 1) {
      if (accounts.length === limit) return { accounts, next: [String(number)] };
      const place = number === Number(first) ? key : [];
      const part = await this.#read(tenantId, segments[number] as Segment, limit - accounts.length, place);
      accounts.push(...part.accounts);
      if (part.next !== undefined) return { accounts, next: [String(number), ...part.next] };
    }
    return { accounts, next: undefined };
  }

  /** All that there are, or at least as many as were met among the first. */
  async count(tenantId: number, filters: readonly AccountFilter[]): Promise<AccountCount> {
    const order = filters.some(({ kind }) => kind === 'search') ? 'match' : 'id';
    let [total, isExact] = [0, true];
    for (const segment of segmentsOf({ order, filters })) {
      const plan = await this.#plan(tenantId, segment);
      const isHeavy = !plan.isBounded && looksInside(plan.unchecked);
      const until = isHeavy ? await this.#lookUntil(plan, segment, [], MAX_COUNT) : undefined;
      const range = stretch(plan, segment.direction, [], until);
      const hit = sql`case when ${holds(plan.unchecked, this.#dialect)} then 1 end`;
      const { rows } = await sql<{ walked: number; accounts: number }>`
        select count(*) as walked, count(hit) as accounts
        from (select ${hit} as hit from ${plan.from} and ${range} limit ${MAX_COUNT}) as looked
      `.execute(this.#db);
      total += rows[0]?.accounts ?? 0;
      isExact &&= until === undefined && (rows[0]?.walked ?? 0) < MAX_COUNT;
    }
    return { accounts: total, isExact };
  }

  async #read(tenantId: number, segment: Segment, limit: number, after: SegmentKey) {
    const plan = await this.#plan(tenantId, segment);
    const until = plan.isBounded
      ? undefined
      : await this.#lookUntil(plan, segment, after, this.#look.accounts);
    const read = async (count: number, bytes: number, last: SizedRow | undefined) => {
      const behind = last === undefined ? after : keyOf(segment, last);
      const query = sql<SizedRow>`
        select ${ALL_BUT_FIELDS}, ${sizeOf('a.fields')} as size, ${upTo(bytes, 'a.fields')} as fields
        from ${plan.from} and ${stretch(plan, segment.direction, behind, until)}
          and ${holds(plan.unchecked, this.#dialect)}
        order by ${orderBy(plan, segment.direction)} limit ${count}`;
      return (await query.execute(this.#db)).rows;
    };
    const { rows, isCut } = await readBounded(limit + 1, 'fields', read, plan.pieceRows);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const hasMore = last !== undefined && (isCut || rows.length > limit);
    return { accounts: shown.map(accountFromRow), next: hasMore ? keyOf(segment, last) : until };
  }

  /**
   * By the index that has the order, where it answers alone. Otherwise through all that one filter finds, where these
   * are few; where none finds few, enough of them are met on the way of the order.
   */
  async #plan(tenantId: number, segment: Segment): Promise<PagePlan> {
    const plan = planByIndex(tenantId, segment, this.#dialect);
    if (plan.unchecked.length === 0) return { ...plan, isBounded: true };
    const set = await this.#sets.small(tenantId, segment.filters);
    if (set === undefined) return { ...plan, isBounded: false };
    return {
      ...planBySet(tenantId, segment, set, this.#dialect),
      isBounded: true,
      pieceRows: Number.POSITIVE_INFINITY,
    };
  }

  /**
   * Where to stop looking. Found beforehand, so that whatever lies before it is looked at even where others write
   * meanwhile; undefined where the end comes first.
   */
  async #lookUntil(
    plan: QueryPlan,
    segment: Segment,
    after: SegmentKey,
    most: number,
  ): Promise<SegmentKey | undefined> {
    const names = plan.key.map((_, i) => sql.ref(`part_${i}`));
    const parts = plan.key.map((part, i) => sql`${part} as ${names[i]}`);
    const size = looksInside(plan.unchecked) ? sizeOf('a.fields') : sql`0`;
    const order = orderBy({ key: names }, segment.direction);
    const { rows } = await sql<Record<string, string>>`
      select ${sql.join(names)} from (
        select ${sql.join(names)}, size, row_number() over (order by ${order}) as place,
          sum(size) over (order by ${order}) as bytes
        from (
          select ${sql.join(parts)}, ${size} as size
          from ${plan.from} and ${stretch(plan, segment.direction, after)}
          order by ${orderBy(plan, segment.direction)} limit ${most}
        ) as walked
      ) as looked
      where bytes - size <= ${this.#look.bytes} and (place = ${most} or bytes > ${this.#look.bytes})
    `.execute(this.#db);
    return rows[0] && plan.key.map((_, i) => rows[0]?.[`part_${i}`] ?? '');
  }
}

/** Whether a page of the listing may begin there. */
export function isPageKey(listing: Listing, [number, ...key]: readonly string[]): boolean {
  const segment = segmentsOf(listing).find((_, i) => String(i) === number);
  return segment !== undefined && (key.length === 0 || key.length === (segment.by === 'name' ? 2 : 1));
}
