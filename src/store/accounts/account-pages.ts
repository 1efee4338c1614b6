import { type Kysely, sql } from 'kysely';
import type { Account } from '../../domain/account.js';
import { readBounded, sizeOf, upTo } from '../bounded-read.js';
import type { Dialect } from '../dialect.js';
import { type AccountRow, accountFromRow, type Tables } from '../schema/tables.js';
import { type AccountFilter, archivedIn, matchesAll, readsFields } from './account-filter.js';
import { CandidateSets, SCAN_BUDGET, type ScanBudget } from './candidate-sets.js';
import {
  keyOf,
  keyRange,
  type Listing,
  orderBy,
  planByIndex,
  planBySet,
  type QueryPlan,
  type Segment,
  type SegmentKey,
  segmentsOf,
} from './listing-plan.js';

/** Where a page starts: the number of the segment, then the key after which it continues. Empty for the first page. */
export type PageKey = readonly string[];

export interface AccountPage {
  readonly accounts: readonly Account[];
  /** Undefined on the last page. A page with a `next` may hold fewer accounts than the limit, even none. */
  readonly next: PageKey | undefined;
}

export interface AccountCount {
  readonly accounts: number;
  /** If false, `accounts` is a lower bound. */
  readonly isExact: boolean;
}

/** Counting stops at this number of rows, so that a count costs no more than a page. */
export const MAX_COUNT = 10_000;

const COLUMNS_WITHOUT_FIELDS = sql`
  a.account_id, a.parent_account_id, a.name, a.revision, a.created_at, a.updated_at, a.archived_at, a.deleted_at`;

type SizedRow = AccountRow & { readonly size: number };

interface PagePlan extends QueryPlan {
  /** Whether the plan reads hardly any rows that the page does not show, and so needs no scan limit. */
  readonly isBounded: boolean;
  /** Unlimited for a plan that sorts a whole set: reading it in pieces would sort the set for each of them. */
  readonly pieceRows?: number;
}

/**
 * Keyset pagination of accounts. A page continues after a key, never at an offset, so a concurrent write moves no
 * account except the one whose key it changes. One request reads a bounded number of rows and bytes:
 * - If the index of the order serves all filters, the page is a range of that index.
 * - Otherwise, if one filter finds a small candidate set, the page is read from that set, sorted.
 * - Otherwise the index of the order is scanned and each row is checked, up to the scan budget. If the
 *   budget runs out, the page ends early, and its `next` key is the end of the scan.
 */
export class AccountPages {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;
  readonly #budget: ScanBudget;
  readonly #candidates: CandidateSets;

  constructor(db: Kysely<Tables>, dialect: Dialect, budget = SCAN_BUDGET) {
    this.#db = db;
    this.#dialect = dialect;
    this.#budget = budget;
    this.#candidates = new CandidateSets(db, dialect, budget);
  }

  async page(tenantId: number, listing: Listing, limit: number, after: PageKey = []): Promise<AccountPage> {
    const segments = segmentsOf(listing);
    const [first = '0', ...key] = after;
    const accounts: Account[] = [];
    for (let number = Number(first); number < segments.length; number += 1) {
      if (accounts.length === limit) return { accounts, next: [String(number)] };
      const start = number === Number(first) ? key : [];
      const part = await this.#read(tenantId, segments[number] as Segment, limit - accounts.length, start);
      accounts.push(...part.accounts);
      if (part.next !== undefined) return { accounts, next: [String(number), ...part.next] };
    }
    return { accounts, next: undefined };
  }

  /** Counts all accounts that match, or those among the first `MAX_COUNT` rows of each segment. */
  async count(tenantId: number, filters: readonly AccountFilter[]): Promise<AccountCount> {
    const order = filters.some(({ kind }) => kind === 'search') ? 'match' : 'id';
    let [total, isExact] = [0, true];
    for (const segment of segmentsOf({ order, filters })) {
      const plan = await this.#plan(tenantId, segment);
      const isHeavy = !plan.isBounded && readsFields(plan.remaining);
      const until = isHeavy ? await this.#scanLimit(plan, segment, [], MAX_COUNT) : undefined;
      const range = keyRange(plan, segment.direction, [], until);
      const hit = sql`case when ${matchesAll(plan.remaining, this.#dialect)} then 1 end`;
      const { rows } = await sql<{ checked: number; accounts: number }>`
        select count(*) as checked, count(hit) as accounts
        from (select ${hit} as hit from ${plan.from} and ${range} limit ${MAX_COUNT}) as scanned
      `.execute(this.#db);
      total += rows[0]?.accounts ?? 0;
      isExact &&= until === undefined && (rows[0]?.checked ?? 0) < MAX_COUNT;
    }
    return { accounts: total, isExact };
  }

  async #read(tenantId: number, segment: Segment, limit: number, after: SegmentKey) {
    const plan = await this.#plan(tenantId, segment);
    const until = plan.isBounded
      ? undefined
      : await this.#scanLimit(plan, segment, after, this.#budget.accounts);
    const read = async (count: number, bytes: number, last: SizedRow | undefined) => {
      const start = last === undefined ? after : keyOf(segment, last);
      const query = sql<SizedRow>`
        select ${COLUMNS_WITHOUT_FIELDS}, ${sizeOf('a.fields')} as size, ${upTo(bytes, 'a.fields')} as fields
        from ${plan.from} and ${keyRange(plan, segment.direction, start, until)}
          and ${matchesAll(plan.remaining, this.#dialect)}
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
   * If no filter is selective, matches are usually frequent, so a scan in index order finds a page within the budget.
   */
  async #plan(tenantId: number, segment: Segment): Promise<PagePlan> {
    const plan = planByIndex(tenantId, segment, this.#dialect);
    if (plan.remaining.every(({ kind }) => kind === 'archived') && (await this.#passesFew(tenantId, segment)))
      return { ...plan, isBounded: true };
    const set = await this.#candidates.findSmall(tenantId, segment.filters);
    if (set === undefined) return { ...plan, isBounded: false };
    return {
      ...planBySet(tenantId, segment, set, this.#dialect),
      isBounded: true,
      pieceRows: Number.POSITIVE_INFINITY,
    };
  }

  /** Whether a scan without other filters passes over few accounts that the page does not show. */
  async #passesFew(tenantId: number, { by, filters }: Segment): Promise<boolean> {
    const archived = archivedIn(filters);
    if (archived === 'exclude') return this.#candidates.areFewArchived(tenantId);
    // Archived accounts alone have an index, if no other filter has chosen one.
    return archived === 'include' || (by === 'id' && filters.length === 1);
  }

  /**
   * The key at which the scan budget ends; undefined if the segment ends first. It is read before the page itself, so
   * that the page covers every key up to it, also those that concurrent writes add.
   */
  async #scanLimit(
    plan: QueryPlan,
    segment: Segment,
    after: SegmentKey,
    maxAccounts: number,
  ): Promise<SegmentKey | undefined> {
    const names = plan.key.map((_, i) => sql.ref(`part_${i}`));
    const parts = plan.key.map((part, i) => sql`${part} as ${names[i]}`);
    const size = readsFields(plan.remaining) ? sizeOf('a.fields') : sql`0`;
    const order = orderBy({ key: names }, segment.direction);
    const { rows } = await sql<Record<string, string>>`
      select ${sql.join(names)} from (
        select ${sql.join(names)}, size, row_number() over (order by ${order}) as ordinal,
          sum(size) over (order by ${order}) as bytes
        from (
          select ${sql.join(parts)}, ${size} as size
          from ${plan.from} and ${keyRange(plan, segment.direction, after)}
          order by ${orderBy(plan, segment.direction)} limit ${maxAccounts}
        ) as scanned
      ) as measured
      where bytes - size <= ${this.#budget.bytes} and (ordinal = ${maxAccounts} or bytes > ${this.#budget.bytes})
    `.execute(this.#db);
    return rows[0] && plan.key.map((_, i) => rows[0]?.[`part_${i}`] ?? '');
  }
}

/** Whether a page of the listing may start at this key. */
export function isPageKey(listing: Listing, [number, ...key]: readonly string[]): boolean {
  const segment = segmentsOf(listing).find((_, i) => String(i) === number);
  return segment !== undefined && (key.length === 0 || key.length === (segment.by === 'name' ? 2 : 1));
}
