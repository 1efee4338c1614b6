import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Account } from '../../domain/account.js';
import { fitting, sizeOf } from '../bounded-read.js';
import type { ChangeFeed } from '../changes/change-feed.js';
import { changesAfter, type Position } from '../changes/changes-after.js';
import type { Dialect } from '../dialect.js';
import type { Tables } from '../schema/tables.js';
import { type AccountFilter, holds, looksInside } from './account-filter.js';
import { type AccountCount, MAX_COUNT } from './account-pages.js';
import type { AccountReader } from './account-reader.js';
import { type CandidateSet, CandidateSets, SCAN_BUDGET, type ScanBudget } from './candidate-sets.js';

export interface RecentRange {
  /** Begins behind this place, in the direction of reading. */
  readonly from: Position;
  /** What came later does not count: each account stands where its last change up to here put it. */
  readonly until: Position;
  readonly direction: 'asc' | 'desc';
  readonly filters: readonly AccountFilter[];
  readonly limit: number;
}

export function changesOf(tenantId: number, range: RecentRange): RawBuilder<unknown> {
  const { from, until, direction, limit } = range;
  const where = sql`(turn, seq) <= (${until.turn}, ${until.seq})`;
  return changesAfter(tenantId, sql`turn, seq, account_id, revision`, { from, direction, limit, where });
}

/**
 * As much of a range as reads no more bytes, and one account, where filters look into the fields; and how many bytes
 * are left then.
 */
export async function withinBytes(
  db: Kysely<Tables>,
  tenantId: number,
  range: RecentRange,
  most: number,
): Promise<{ readonly stretch: RecentRange; readonly left: number }> {
  if (!looksInside(range.filters)) return { stretch: range, left: most };
  const direction = sql.raw(range.direction);
  const { rows } = await sql<{ fits: number; bytes: number | null }>`
    select count(*) as fits, max(bytes) as bytes from (
      select sum((
        select ${sizeOf('a.fields')} from account as a
        where a.tenant_id = ${tenantId} and a.account_id = h.account_id
      )) over (order by h.turn ${direction}, h.seq ${direction}) as bytes
      from (${changesOf(tenantId, range)}) as h
    ) as looked where bytes <= ${most}
  `.execute(db);
  const fits = rows[0]?.fits ?? 0;
  if (fits === range.limit) return { stretch: range, left: most - (rows[0]?.bytes ?? 0) };
  return { stretch: { ...range, limit: fits + 1 }, left: 0 };
}

export interface RecentPage {
  readonly accounts: readonly Account[];
  /** Undefined at the end. */
  readonly next: Position | undefined;
}

const MAX_ROUNDS = 10;

/** Accounts by their last change. */
export class RecentAccounts {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;
  readonly #sets: CandidateSets;
  readonly #look: ScanBudget;
  readonly #feed: ChangeFeed;
  readonly #accounts: AccountReader;

  constructor(
    db: Kysely<Tables>,
    dialect: Dialect,
    feed: ChangeFeed,
    accounts: AccountReader,
    look = SCAN_BUDGET,
  ) {
    this.#db = db;
    this.#dialect = dialect;
    this.#sets = new CandidateSets(db, dialect, look);
    this.#look = look;
    this.#feed = feed;
    this.#accounts = accounts;
  }

  /** Accounts in the order of their last change, each once however often it changes meanwhile, as it is now. */
  async page(tenantId: number, { limit, from, ...range }: RecentRange): Promise<RecentPage> {
    const set = await this.#sets.small(tenantId, range.filters);
    // Where not every account is shown, more are looked at.
    const step = Math.ceil(this.#look.accounts / MAX_ROUNDS);
    const most = range.filters.length === 0 ? limit : Math.max(limit, step);
    const found: Found[] = [];
    let place: Position | undefined = from;
    let bytes = this.#look.bytes;
    // Changes that others came after are walked over; a page may end early rather than plan on and on.
    for (
      let round = 0;
      round < MAX_ROUNDS && bytes > 0 && place !== undefined && found.length < limit;
      round += 1
    ) {
      const next: RecentRange = { ...range, from: place, limit: most };
      const { stretch, left } =
        set === undefined
          ? await withinBytes(this.#db, tenantId, next, bytes)
          : { stretch: next, left: bytes };
      const plan =
        set === undefined ? this.#changes(tenantId, stretch) : this.#sorted(tenantId, set, stretch);
      bytes = left;
      const { rows }: { rows: Walked[] } = await plan.execute(this.#db);
      found.push(...rows.filter((row): row is Found => row.size !== null));
      place = rows.length < stretch.limit ? undefined : rows.at(-1);
    }
    const fits = found.slice(0, Math.min(limit, fitting(found)));
    const accounts = await this.#accounts.findAll(
      tenantId,
      fits.map(({ account_id }) => account_id),
    );
    const isCut = fits.length < found.length;
    const next = isCut ? fits.at(-1) : place;
    return {
      accounts: [...accounts.values()].filter(({ deletedAt }) => deletedAt === null),
      next: next && { turn: next.turn, seq: next.seq },
    };
  }

  /** How many accounts there are since a moment: at least, where there are more changes than are looked at. */
  async count(tenantId: number, since: number, filters: readonly AccountFilter[]): Promise<AccountCount> {
    const from = await this.#feed.before(tenantId, since);
    const until = await this.#feed.end(tenantId);
    const all = { from, until, direction: 'asc', filters, limit: MAX_COUNT } as const;
    const { stretch } = await withinBytes(this.#db, tenantId, all, this.#look.bytes);
    const { rows } = await sql<{ walked: number; accounts: number }>`
      select count(*) as walked, count(size) as accounts
      from (${this.#changes(tenantId, stretch)}) as changes
    `.execute(this.#db);
    const { walked = 0, accounts = 0 } = rows[0] ?? {};
    return { accounts, isExact: walked < stretch.limit };
  }

  /**
   * Each with the size of its account, or null where a later change stands for that. The account is looked up in a
   * subquery: as a join, PostgreSQL may read all accounts of a tenant that its statistics do not know yet.
   */
  #changes(tenantId: number, range: RecentRange): RawBuilder<Walked> {
    const { until, direction, filters } = range;
    const bound = sql`(${until.turn}, ${until.seq})`;
    return sql`
      select h.turn, h.seq, h.account_id, (
        select octet_length(a.fields) from account as a
        where a.tenant_id = ${tenantId} and a.account_id = h.account_id
          and ${holds(filters, this.#dialect)}
          and not coalesce((
            select (n.turn, n.seq) <= ${bound} from account_history as n
            where n.tenant_id = ${tenantId} and n.account_id = h.account_id and n.revision > h.revision
            order by n.revision limit 1
          ), false)
      ) as size
      from (${changesOf(tenantId, range)}) as h
      order by h.turn ${sql.raw(direction)}, h.seq ${sql.raw(direction)}
    `;
  }

  /** The accounts of a small set at the change that each stands for. With 0 added, no index is gone by for its order. */
  #sorted(
    tenantId: number,
    set: CandidateSet,
    { from, until, direction, filters, limit }: RecentRange,
  ): RawBuilder<Walked> {
    const ofLastChange = (column: 'turn' | 'seq') => sql`(
      select n.${sql.ref(column)} from account_history as n
      where n.tenant_id = ${tenantId} and n.account_id = a.account_id
        and (n.turn + 0, n.seq + 0) <= (${until.turn}, ${until.seq})
      order by n.revision desc limit 1
    )`;
    // With a limit that no set reaches, each is looked up once, not wherever its turn and seq are named.
    return sql`
      select * from (
        select ${ofLastChange('turn')} as turn, ${ofLastChange('seq')} as seq, a.account_id, octet_length(a.fields) as size
        from ${this.#dialect.accountsOf(tenantId, set)}
        where ${holds(filters, this.#dialect)} limit ${Number.MAX_SAFE_INTEGER}
      ) as few
      where (turn, seq) ${sql.raw(direction === 'asc' ? '>' : '<')} (${from.turn}, ${from.seq})
      order by turn ${sql.raw(direction)}, seq ${sql.raw(direction)} limit ${limit}
    `;
  }
}

/** A change, and the size of its account, if it stands for that. */
interface Walked extends Position {
  readonly account_id: string;
  readonly size: number | null;
}

type Found = Walked & { readonly size: number };
