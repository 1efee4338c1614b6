import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Account } from '../../domain/account.js';
import { fitting, sizeOf } from '../bounded-read.js';
import type { ChangeFeed } from '../changes/change-feed.js';
import { changesAfter, POSITION_COLUMNS, type Position } from '../changes/changes-after.js';
import type { Dialect } from '../dialect.js';
import type { Tables } from '../schema/tables.js';
import { type AccountFilter, matchesAll, readsFields } from './account-filter.js';
import { type AccountCount, MAX_COUNT } from './account-pages.js';
import type { AccountReader } from './account-reader.js';
import { type CandidateSet, CandidateSets, SCAN_BUDGET, type ScanBudget } from './candidate-sets.js';

export interface RecentRange {
  /** The range starts after this position, in the direction of reading. */
  readonly from: Position;
  /** Later changes are ignored: each account is listed at its last change up to this position. */
  readonly until: Position;
  readonly direction: 'asc' | 'desc';
  readonly filters: readonly AccountFilter[];
  readonly limit: number;
}

export function changesOf(tenantId: number, range: RecentRange): RawBuilder<unknown> {
  const { from, until, direction, limit } = range;
  const where = sql`(turn, seq) <= (${until.commitOrder}, ${until.seq})`;
  const columns = sql`${POSITION_COLUMNS}, account_id, revision`;
  return changesAfter(tenantId, columns, { from, direction, limit, where });
}

interface BudgetedRange {
  readonly range: RecentRange;
  readonly bytesLeft: number;
}

/**
 * Shortens a range so that the fields of its accounts stay within a number of bytes, if filters read the fields. The
 * last account may exceed the bytes, so that a large account does not stop the listing.
 */
async function limitToBytes(
  db: Kysely<Tables>,
  tenantId: number,
  range: RecentRange,
  maxBytes: number,
): Promise<BudgetedRange> {
  if (!readsFields(range.filters)) return { range, bytesLeft: maxBytes };
  const direction = sql.raw(range.direction);
  const { rows } = await sql<{ fits: number; bytes: number | null }>`
    select count(*) as fits, max(bytes) as bytes from (
      select sum((
        select ${sizeOf('a.fields')} from account as a
        where a.tenant_id = ${tenantId} and a.account_id = h.account_id
      )) over (order by h."commitOrder" ${direction}, h.seq ${direction}) as bytes
      from (${changesOf(tenantId, range)}) as h
    ) as measured where bytes <= ${maxBytes}
  `.execute(db);
  const fits = rows[0]?.fits ?? 0;
  if (fits === range.limit) return { range, bytesLeft: maxBytes - (rows[0]?.bytes ?? 0) };
  return { range: { ...range, limit: fits + 1 }, bytesLeft: 0 };
}

export interface RecentPage {
  readonly accounts: readonly Account[];
  /** Undefined on the last page. */
  readonly next: Position | undefined;
}

const MAX_ROUNDS = 10;

/**
 * Listings of accounts in the order of their last change. No index has that order: the change feed is read instead, and
 * a change counts only if no later change of its account lies within the range.
 * - A small candidate set is sorted by the last change of each account.
 * - Otherwise changes are read in rounds, up to the scan budget; a page may then hold fewer accounts than its limit.
 */
export class RecentAccounts {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;
  readonly #candidates: CandidateSets;
  readonly #budget: ScanBudget;
  readonly #feed: ChangeFeed;
  readonly #accounts: AccountReader;

  constructor(
    db: Kysely<Tables>,
    dialect: Dialect,
    feed: ChangeFeed,
    accounts: AccountReader,
    budget = SCAN_BUDGET,
  ) {
    this.#db = db;
    this.#dialect = dialect;
    this.#candidates = new CandidateSets(db, dialect, budget);
    this.#budget = budget;
    this.#feed = feed;
    this.#accounts = accounts;
  }

  /** Each account appears once, however often it changes between two pages, and with its current values. */
  async page(tenantId: number, { limit, from, ...bounds }: RecentRange): Promise<RecentPage> {
    const set = await this.#candidates.findSmall(tenantId, bounds.filters);
    // Filters skip accounts, so a round with filters reads more changes than the page has room for.
    const changesPerRound = Math.ceil(this.#budget.accounts / MAX_ROUNDS);
    const roundLimit = bounds.filters.length === 0 ? limit : Math.max(limit, changesPerRound);
    const found: MatchingChange[] = [];
    let position: Position | undefined = from;
    let bytes = this.#budget.bytes;
    // Superseded changes count towards the budget too. The page ends early when it is used up.
    for (
      let round = 0;
      round < MAX_ROUNDS && bytes > 0 && position !== undefined && found.length < limit;
      round += 1
    ) {
      const next: RecentRange = { ...bounds, from: position, limit: roundLimit };
      const { range, bytesLeft }: BudgetedRange =
        set === undefined
          ? await limitToBytes(this.#db, tenantId, next, bytes)
          : { range: next, bytesLeft: bytes };
      const query = set === undefined ? this.#changes(tenantId, range) : this.#sorted(tenantId, set, range);
      bytes = bytesLeft;
      const { rows }: { rows: ScannedChange[] } = await query.execute(this.#db);
      found.push(...rows.filter((row): row is MatchingChange => row.size !== null));
      position = rows.length < range.limit ? undefined : rows.at(-1);
    }
    const fits = found.slice(0, Math.min(limit, fitting(found)));
    const accounts = await this.#accounts.findAll(
      tenantId,
      fits.map(({ account_id }) => account_id),
    );
    const isCut = fits.length < found.length;
    const next = isCut ? fits.at(-1) : position;
    return {
      accounts: [...accounts.values()].filter(({ deletedAt }) => deletedAt === null),
      next: next && { commitOrder: next.commitOrder, seq: next.seq },
    };
  }

  /** Counts accounts that have changed since a time; a lower bound if there are more changes than the budget reads. */
  async count(tenantId: number, since: number, filters: readonly AccountFilter[]): Promise<AccountCount> {
    const from = await this.#feed.before(tenantId, since);
    const until = await this.#feed.end(tenantId);
    const all = { from, until, direction: 'asc', filters, limit: MAX_COUNT } as const;
    const { range } = await limitToBytes(this.#db, tenantId, all, this.#budget.bytes);
    const { rows } = await sql<{ scanned: number; accounts: number }>`
      select count(*) as scanned, count(size) as accounts
      from (${this.#changes(tenantId, range)}) as changes
    `.execute(this.#db);
    const { scanned = 0, accounts = 0 } = rows[0] ?? {};
    return { accounts, isExact: scanned < range.limit };
  }

  /**
   * The changes of a range, each with the size of its account; null if a filter or a later change rules it out. The
   * account is read in a subquery: with a join, PostgreSQL may read all accounts of a tenant it has no statistics for.
   */
  #changes(tenantId: number, range: RecentRange): RawBuilder<ScannedChange> {
    const { until, direction, filters } = range;
    const bound = sql`(${until.commitOrder}, ${until.seq})`;
    return sql`
      select h."commitOrder", h.seq, h.account_id, (
        select octet_length(a.fields) from account as a
        where a.tenant_id = ${tenantId} and a.account_id = h.account_id
          and ${matchesAll(filters, this.#dialect)}
          and not coalesce((
            select (n.turn, n.seq) <= ${bound} from account_history as n
            where n.tenant_id = ${tenantId} and n.account_id = h.account_id and n.revision > h.revision
            order by n.revision limit 1
          ), false)
      ) as size
      from (${changesOf(tenantId, range)}) as h
      order by h."commitOrder" ${sql.raw(direction)}, h.seq ${sql.raw(direction)}
    `;
  }

  /**
   * The accounts of a small set, each with its last change. Adding 0 keeps the planner from reading an index in
   * order.
   */
  #sorted(
    tenantId: number,
    set: CandidateSet,
    { from, until, direction, filters, limit }: RecentRange,
  ): RawBuilder<ScannedChange> {
    const ofLastChange = (column: 'turn' | 'seq') => sql`(
      select n.${sql.ref(column)} from account_history as n
      where n.tenant_id = ${tenantId} and n.account_id = a.account_id
        and (n.turn + 0, n.seq + 0) <= (${until.commitOrder}, ${until.seq})
      order by n.revision desc limit 1
    )`;
    // The inner limit is out of reach. It keeps the subquery apart: merged, it would run at every use of its columns.
    return sql`
      select * from (
        select ${ofLastChange('turn')} as "commitOrder", ${ofLastChange('seq')} as seq, a.account_id,
          octet_length(a.fields) as size
        from ${this.#dialect.accountsOf(tenantId, set)}
        where ${matchesAll(filters, this.#dialect)} limit ${Number.MAX_SAFE_INTEGER}
      ) as few
      where (few."commitOrder", few.seq) ${sql.raw(direction === 'asc' ? '>' : '<')} (${from.commitOrder}, ${from.seq})
      order by few."commitOrder" ${sql.raw(direction)}, few.seq ${sql.raw(direction)} limit ${limit}
    `;
  }
}

/** A change, and the size of its account; null if the account is not listed at this change. */
interface ScannedChange extends Position {
  readonly account_id: string;
  readonly size: number | null;
}

type MatchingChange = ScannedChange & { readonly size: number };
