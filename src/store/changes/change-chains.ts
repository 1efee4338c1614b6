import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../dialect.js';
import { type ChangeLine, type ChangePointer, headOf } from '../schema/change-set.js';
import type { Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';

/** A line on the chain of an account, with what the request of its set has in common. */
export interface ChainLink extends ChangeLine {
  readonly commitOrder: number;
  readonly at: number;
  readonly requestId: string;
  readonly senderId: string;
  readonly runId: number | null;
}

export interface ChainBounds {
  readonly links: number;
  /** The link that exceeds this number is the last. */
  readonly bytes: number;
}

/** Changes up to a position in the feed, or before a time. */
export type ChangeBound = { readonly until: Position } | { readonly before: number };

/** Where the last change of an account within a bound is stored. */
export interface AccountPosition extends Position, ChangePointer {
  readonly accountId: string;
}

/** The most changes of one account since a position: following a longer chain would take too long. */
const MAX_STEPS = 1_000;

/**
 * Follows the chains of changes: each account points to its last change, each change to the one before. A chain ends
 * at a change without `previous`, or where the previous change was removed: then no line of the account begins at its
 * place. One recursive query reads a whole chain.
 */
export class ChangeChains {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
  }

  /**
   * Reads several chains, each newest change first, from its start on. A chain ends before a line of another account:
   * then the previous change was removed. The caller has to check the first line of each.
   */
  async read(
    tenantId: number,
    starts: readonly ChangePointer[],
    { links, bytes }: ChainBounds,
  ): Promise<ChainLink[][]> {
    const chains = starts.map((): ChainLink[] => []);
    if (starts.length === 0) return chains;
    const { setOfChange } = this.#dialect;
    const values = starts.map(
      ({ seq, place }, i) => sql`(cast(${i} as bigint), cast(${seq} as bigint), cast(${place} as bigint))`,
    );
    const { rows } = await sql<Omit<ChainLink, 'text'> & { chain: number; line: Uint8Array }>`
      with recursive link (chain, turn, seq, place, at, request_id, key_id, run_id, line, steps, bytes) as (
        select p.column1, s.turn, p.column2, p.column3, s.at, s.request_id, s.key_id, s.run_id,
          ${this.#line(sql`p.column3`)}, 1, 0
        from (values ${sql.join(values)}) as p ${setOfChange(tenantId, sql`p.column2`)}
        union all
        select c.chain, s.turn, ${this.#previous('seq')}, ${this.#previous('place')}, s.at, s.request_id, s.key_id,
          s.run_id, ${this.#line(this.#previous('place'))}, c.steps + 1, c.bytes + octet_length(c.line)
        from link as c ${setOfChange(tenantId, this.#previous('seq'))}
        where c.steps < ${links} and c.bytes + octet_length(c.line) < ${bytes}
      )
      select chain, turn as "commitOrder", seq, place, at, request_id as "requestId", key_id as "senderId",
        run_id as "runId", line
      from link
      where line is not null order by chain, steps
    `.execute(this.#db);
    for (const { chain, line, ...link } of rows) {
      chains[chain]?.push({ ...link, text: Buffer.from(line).toString() });
    }
    return chains.map(untilOtherAccount);
  }

  /**
   * The last change of each account within a bound, `unknown` if the account has changed too often since. Accounts
   * without one are left out, also if it was removed.
   */
  async lastWithin(
    tenantId: number,
    accountIds: readonly string[],
    bound: ChangeBound,
  ): Promise<Map<string, AccountPosition | 'unknown'>> {
    if (accountIds.length === 0) return new Map();
    const { accountsOf, texts, setOfChange } = this.#dialect;
    const isOf = (line: string, account: string) =>
      sql`${this.#head(sql.ref(line))} ->> 0 = ${sql.ref(account)}`;
    const { rows } = await sql<AccountPosition & { is_beyond: number }>`
      with recursive walk (account_id, turn, seq, place, at, line, steps) as (
        select a.account_id, s.turn, a.last_change, cast(a.last_place as bigint), s.at,
          ${this.#line(sql`a.last_place`)}, 1
        from ${accountsOf(tenantId, texts(accountIds, 'account_id'))} ${setOfChange(tenantId, sql`a.last_change`)}
        union all
        select c.account_id, s.turn, ${this.#previous('seq')}, ${this.#previous('place')}, s.at,
          ${this.#line(this.#previous('place'))}, c.steps + 1
        from walk as c ${setOfChange(tenantId, this.#previous('seq'))}
        where ${isBeyond(bound, 'c')} and c.steps < ${MAX_STEPS} and ${isOf('c.line', 'c.account_id')}
      )
      select account_id as "accountId", turn as "commitOrder", seq, place,
        case when ${isBeyond(bound, 'walk')} then 1 else 0 end as is_beyond
      from walk where (steps = ${MAX_STEPS} or not ${isBeyond(bound, 'walk')}) and ${isOf('line', 'account_id')}
    `.execute(this.#db);
    return new Map(
      rows.map(({ is_beyond, ...position }) => [position.accountId, is_beyond === 1 ? 'unknown' : position]),
    );
  }

  /** The line at a place of set `s`, without line feeds; null if no line begins there. */
  #line(place: RawBuilder<unknown>): RawBuilder<Uint8Array> {
    const { bytes, indexOf } = this.#dialect;
    const start = sql`cast(${place} as integer)`;
    const rest = sql`substr(s.entries, ${start} + 2)`;
    return sql`
      case when substr(s.entries, ${start} + 1, 2) = ${bytes('0a5b')}
      then substr(${rest}, 1, ${indexOf(rest, bytes('0a'))} - 1) end`;
  }

  /** A part of the pointer in `c.line` to the previous change. */
  #previous(part: 'seq' | 'place'): RawBuilder<number> {
    return sql`cast(${this.#head(sql.ref('c.line'))} ->> ${sql.lit(part === 'seq' ? 3 : 4)} as bigint)`;
  }

  #head(line: RawBuilder<unknown>): RawBuilder<unknown> {
    const { bytes, indexOf, json } = this.#dialect;
    return json(sql`substr(${line}, 1, ${indexOf(line, bytes('09'))} - 1)`);
  }
}

function isBeyond(bound: ChangeBound, row: string): RawBuilder<boolean> {
  if ('before' in bound) return sql`${sql.ref(`${row}.at`)} >= ${bound.before}`;
  const { commitOrder, seq } = bound.until;
  return sql`(${sql.ref(`${row}.turn`)}, ${sql.ref(`${row}.seq`)}) > (${commitOrder}, ${seq})`;
}

function untilOtherAccount(chain: readonly ChainLink[]): ChainLink[] {
  const heads = chain.map(({ text }) => headOf(text));
  const end = heads.findIndex((head, i) => {
    const newer = heads[i - 1];
    return newer !== undefined && (head.accountId !== newer.accountId || head.revision >= newer.revision);
  });
  return end === -1 ? [...chain] : chain.slice(0, end);
}
