import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Account } from '../../domain/account.js';
import { readKind } from '../change-kind.js';
import type { Tables } from '../tables.js';
import { type AccountChange, AccountReader, changeFromRow } from './account-reader.js';
import { fitting, readBounded, sizeOf, upTo } from './page-bytes.js';

/** A place in a tenant's changes. Turns are those of transactions; within one, and on SQLite, `seq` counts. */
export interface Position {
  readonly turn: number;
  readonly seq: number;
}

type SizedRow = Selectable<Tables['account_history']> & { readonly size: number };

export const BEGINNING: Position = { turn: 0, seq: 0 };

export interface FeedEntry extends AccountChange {
  readonly position: Position;
  readonly accountId: string;
}

export type CountableEntry = Pick<FeedEntry, 'position' | 'at' | 'kind' | 'changes'>;

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

/** From a request's moment to its commit, with some skew of clocks: longer than a request may take. */
const MAX_DELAY_MS = 15_000;
const MAX_ROUNDS = 10;

/** All changes of a tenant in one order that no reader ever has to correct. */
export class ChangeFeed {
  readonly #db: Kysely<Tables>;
  readonly #reader: AccountReader;
  readonly #horizon: RawBuilder<number>;

  /** `horizon` is the first turn of which something may still be on its way. */
  constructor(db: Kysely<Tables>, horizon: RawBuilder<number>) {
    this.#db = db;
    this.#reader = new AccountReader(db);
    this.#horizon = horizon;
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
    const next = changesBehind(tenantId, sql`turn, seq`, stretch);
    return (await next.execute(this.#db)).rows.length > 0;
  }

  /** The last place that can be read now. */
  async end(tenantId: number): Promise<Position> {
    const query = this.#readable(tenantId).select(['turn', 'seq']);
    return (
      (await query.orderBy('turn', 'desc').orderBy('seq', 'desc').limit(1).executeTakeFirst()) ?? BEGINNING
    );
  }

  /** A place before every change that was made at this moment or later, and not long before. */
  async before(tenantId: number, at: number): Promise<Position> {
    const query = this.#readable(tenantId)
      .select(['turn', 'seq'])
      .where(sql<boolean>`seq % 64 = 0`)
      .where('at', '<', at - MAX_DELAY_MS);
    return (await query.orderBy('at', 'desc').limit(1).executeTakeFirst()) ?? BEGINNING;
  }

  /** Accounts in the order of their last change, each once however often it changes meanwhile, as it is now. */
  async recent(tenantId: number, { from, until, direction, since, limit }: RecentRange): Promise<RecentPage> {
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
    const accounts = await this.#reader.findAll(
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

  /** How many accounts `recent` would list since a moment: at least, where there are more changes than are looked at. */
  async countRecent(tenantId: number, since: number, limit: number): Promise<RecentCount> {
    const range = { until: await this.end(tenantId), direction: 'asc', since, limit } as const;
    const { rows } = await sql<{ walked: number; accounts: number }>`
      select count(*) as walked, count(account_id) as accounts
      from (${this.#changes(tenantId, await this.before(tenantId, since), range)}) as changes
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

  async #read<Row extends Pick<SizedRow, 'changes' | 'size'>>(
    tenantId: number,
    others: RawBuilder<unknown>,
    from: Position,
    limit: number,
  ): Promise<readonly Row[]> {
    const stretch = { from, direction: 'asc', where: sql`turn < ${this.#horizon}` } as const;
    const { rows } = await readBounded(limit, 'changes', async (count, bytes) => {
      const columns = sql`${others}, ${sizeOf('changes')} as size, ${upTo(bytes, 'changes')} as changes`;
      const changes = changesBehind<Row>(tenantId, columns, { ...stretch, limit: count });
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

/** A change, and the account that it stands for, if it does. */
interface Walked extends Position {
  readonly account_id: string | null;
  readonly size: number;
}

interface Stretch {
  /** Begins behind this place, in the direction of reading. */
  readonly from: Position;
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  readonly where: RawBuilder<unknown>;
}

/**
 * The next changes. In two parts: compared together with `turn`, `seq`, which is the number of the row in SQLite, would
 * not be looked up in its index, and all changes of the turn would be read.
 */
function changesBehind<Row>(
  tenantId: number,
  columns: RawBuilder<unknown>,
  { from, direction, limit, where }: Stretch,
): RawBuilder<Row> {
  const behind = sql.raw(direction === 'asc' ? '>' : '<');
  const order = sql.raw(direction === 'asc' ? 'turn, seq' : 'turn desc, seq desc');
  const part = (condition: RawBuilder<unknown>) => sql`
    select * from (
      select ${columns} from account_history where tenant_id = ${tenantId} and ${condition} and ${where}
      order by ${order} limit ${limit}
    ) as part`;
  return sql`
    select * from (
      ${part(sql`turn = ${from.turn} and seq ${behind} ${from.seq}`)}
      union all ${part(sql`turn ${behind} ${from.turn}`)}
    ) as parts order by ${order} limit ${limit}`;
}
