import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Account } from '../../domain/account.js';
import type { Tables } from '../tables.js';
import type { AccountReader } from './account-reader.js';
import type { ChangeFeed } from './change-feed.js';
import { changesBehind, type Position } from './changes-behind.js';
import { fitting } from './page-bytes.js';

export interface RecentRange {
  /** Begins behind this place, in the direction of reading. */
  readonly from: Position;
  /** What came later does not count: each account stands where its last change up to here put it. */
  readonly until: Position;
  readonly direction: 'asc' | 'desc';
  /** Only accounts that changed at this moment or later. */
  readonly since: number;
  readonly limit: number;
}

export interface RecentPage {
  readonly accounts: readonly Account[];
  /** Undefined at the end. */
  readonly next: Position | undefined;
}

export interface RecentCount {
  readonly accounts: number;
  readonly isExact: boolean;
}

const MAX_ROUNDS = 10;

/** Accounts by their last change. */
export class RecentAccounts {
  readonly #db: Kysely<Tables>;
  readonly #feed: ChangeFeed;
  readonly #accounts: AccountReader;

  constructor(db: Kysely<Tables>, feed: ChangeFeed, accounts: AccountReader) {
    this.#db = db;
    this.#feed = feed;
    this.#accounts = accounts;
  }

  /** Accounts in the order of their last change, each once however often it changes meanwhile, as it is now. */
  async page(tenantId: number, { from, until, direction, since, limit }: RecentRange): Promise<RecentPage> {
    const found: Walked[] = [];
    let place: Position | undefined = from;
    // Changes that others came after are walked over; a page may end early rather than walk on and on.
    for (let round = 0; round < MAX_ROUNDS && place !== undefined && found.length < limit; round += 1) {
      const changes = this.#changes(tenantId, place, { until, direction, since, limit });
      const { rows }: { rows: Walked[] } = await changes.execute(this.#db);
      found.push(...rows.filter(({ account_id }) => account_id !== null));
      place = rows.length < limit ? undefined : rows.at(-1);
    }
    const fits = found.slice(0, Math.min(limit, fitting(found)));
    const accounts = await this.#accounts.findAll(
      tenantId,
      fits.map(({ account_id }) => account_id ?? ''),
    );
    const isCut = fits.length < found.length;
    const next = isCut ? fits.at(-1) : place;
    return {
      accounts: [...accounts.values()].filter(({ deletedAt }) => deletedAt === null),
      next: next && { turn: next.turn, seq: next.seq },
    };
  }

  /** How many accounts there are since a moment: at least, where there are more changes than are looked at. */
  async count(tenantId: number, since: number, limit: number): Promise<RecentCount> {
    const range = { until: await this.#feed.end(tenantId), direction: 'asc', since, limit } as const;
    const { rows } = await sql<{ walked: number; accounts: number }>`
      select count(*) as walked, count(account_id) as accounts
      from (${this.#changes(tenantId, await this.#feed.before(tenantId, since), range)}) as changes
    `.execute(this.#db);
    const { walked = 0, accounts = 0 } = rows[0] ?? {};
    return { accounts, isExact: walked < limit };
  }

  /** Each with its account, where no later one stands for that. */
  #changes(
    tenantId: number,
    from: Position,
    { until, direction, since, limit }: Omit<RecentRange, 'from'>,
  ): RawBuilder<Walked> {
    const isUp = direction === 'asc';
    const bound = sql`(${until.turn}, ${until.seq})`;
    const columns = sql`turn, seq, account_id, revision`;
    const where = sql`(turn, seq) <= ${bound}`;
    return sql`
      select h.turn, h.seq, a.account_id, coalesce(octet_length(a.fields), 0) as size
      from (${changesBehind(tenantId, columns, { from, direction, limit, where })}) as h
      left join account as a on a.tenant_id = ${tenantId} and a.account_id = h.account_id
        and a.deleted_at is null and a.updated_at >= ${since}
        and not exists (
          select 1 from account_history as n where n.tenant_id = ${tenantId} and n.account_id = h.account_id
            and n.revision = h.revision + 1 and (n.turn, n.seq) <= ${bound}
        )
      order by ${isUp ? sql`h.turn, h.seq` : sql`h.turn desc, h.seq desc`}
    `;
  }
}

/** A change, and the account that it stands for, if it does. */
interface Walked extends Position {
  readonly account_id: string | null;
  readonly size: number;
}
