import { type Kysely, sql } from 'kysely';
import type { Account } from '../../domain/account.js';
import { fitting, sizeOf } from '../bounded-read.js';
import { type AccountPosition, ChangeChains } from '../changes/change-chains.js';
import type { ChangeFeed, FeedRange } from '../changes/change-feed.js';
import type { Dialect } from '../dialect.js';
import { headOf, NUMBERS_PER_SET } from '../schema/change-set.js';
import { comparePositions, type Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';
import { type AccountFilter, archivedIn, matchesAll, readsFields } from './account-filter.js';
import { type AccountCount, MAX_COUNT } from './account-pages.js';
import type { AccountReader } from './account-reader.js';
import { type CandidateSet, CandidateSets, SCAN_BUDGET, type ScanBudget } from './candidate-sets.js';

export interface RecentRange extends FeedRange {
  /** Later changes are ignored: each account is listed at its last change up to this position. */
  readonly until: Position;
  readonly filters: readonly AccountFilter[];
}

export interface RecentPage {
  readonly accounts: readonly Account[];
  /** Undefined on the last page. */
  readonly next: Position | undefined;
}

/** An account that is listed at this position, and its size. */
interface ListedAccount extends Position {
  readonly accountId: string;
  readonly size: number;
}

interface Round {
  readonly listed: readonly ListedAccount[];
  /** Where the next round continues; undefined at the end of the range. */
  readonly next: Position | undefined;
  readonly changes: number;
  /** The size of the accounts whose fields were read. */
  readonly bytes: number;
}

/** An account with its last change up to the end of the range. */
interface LastChange extends ListedAccount {
  /** The account has changed too often since: its last change within the range is not known. */
  readonly isUnknown: boolean;
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
  readonly #chains: ChangeChains;
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
    this.#chains = new ChangeChains(db, dialect);
    this.#accounts = accounts;
  }

  /** Each account appears once, however often it changes between two pages, and with its current values. */
  async page(tenantId: number, range: RecentRange): Promise<RecentPage> {
    const { limit, filters } = range;
    const set = await this.#candidates.findSmall(tenantId, filters);
    // Filters skip accounts, so a round with filters reads more changes than the page has room for. Without, only many
    // archived accounts are skipped.
    const changesPerRound = Math.ceil(this.#budget.accounts / MAX_ROUNDS);
    const limitOf = (round: number) =>
      filters.length === 0 && round === 0 ? limit : Math.max(limit, changesPerRound);
    const found: ListedAccount[] = [];
    let from: Position | undefined = range.from;
    let bytes = this.#budget.bytes;
    // Superseded changes count towards the budget too. The page ends early when it is used up.
    for (
      let round = 0;
      round < MAX_ROUNDS && bytes > 0 && from !== undefined && found.length < limit;
      round += 1
    ) {
      const next: RecentRange = { ...range, from, limit: limitOf(round) };
      const result: Round =
        set === undefined ? await this.#scan(tenantId, next, bytes) : await this.#sorted(tenantId, set, next);
      found.push(...result.listed);
      from = result.next;
      bytes -= result.bytes;
    }
    const fits = found.slice(0, Math.min(limit, fitting(found)));
    const accounts = await this.#accounts.findAll(
      tenantId,
      fits.map(({ accountId }) => accountId),
    );
    const last = fits.length < found.length ? fits.at(-1) : undefined;
    return {
      accounts: [...accounts.values()].filter((account) => isListed(account, filters)),
      next: last === undefined ? from : { commitOrder: last.commitOrder, seq: last.seq },
    };
  }

  /** Counts accounts that have changed since a time; a lower bound if there are more changes than the budget reads. */
  async count(tenantId: number, since: number, filters: readonly AccountFilter[]): Promise<AccountCount> {
    const until = await this.#feed.end(tenantId);
    let from: Position | undefined = await this.#feed.before(tenantId, since);
    let accounts = 0;
    let changes = 0;
    let bytes = this.#budget.bytes;
    while (from !== undefined && changes < MAX_COUNT && bytes > 0) {
      const limit = Math.min(MAX_COUNT - changes, 4 * NUMBERS_PER_SET);
      const round: Round = await this.#scan(
        tenantId,
        { from, until, direction: 'asc', filters, limit },
        bytes,
      );
      accounts += round.listed.length;
      changes += round.changes;
      bytes -= round.bytes;
      from = round.next;
    }
    return { accounts, isExact: from === undefined };
  }

  /** Reads changes of the feed, and keeps those at which an account is listed. */
  async #scan(tenantId: number, range: RecentRange, maxBytes: number): Promise<Round> {
    const { lines, isEnd } = await this.#feed.read(tenantId, range);
    const changes = lines.map(({ seq, set, text }) => ({
      seq,
      commitOrder: set.commitOrder,
      accountId: headOf(text).accountId,
    }));
    const ids = [...new Set(changes.map(({ accountId }) => accountId))];
    const set = this.#dialect.texts(ids, 'account_id');
    // Filters that read fields are applied later, to as many accounts as the budget allows.
    const filters = range.filters.filter((filter) => !readsFields([filter]));
    const lastChanges = await this.#lastChanges(tenantId, set, range.until, filters);
    const isListed = ({ accountId, seq }: (typeof changes)[number]) => {
      const last = lastChanges.get(accountId);
      // An account that changes too often to tell may be listed more than once.
      return last !== undefined && (last.seq === seq || last.isUnknown);
    };
    const seen = new Set<string>();
    const listed: ListedAccount[] = [];
    let bytes = 0;
    for (const change of changes) {
      if (!isListed(change) || seen.has(change.accountId)) continue;
      const { accountId, commitOrder, seq } = change;
      seen.add(accountId);
      const size = lastChanges.get(accountId)?.size ?? 0;
      listed.push({ accountId, commitOrder, seq, size });
      if (readsFields(range.filters)) bytes += size;
      if (bytes > maxBytes) break;
    }
    const isCut = bytes > maxBytes;
    const last = isCut ? listed.at(-1) : changes.at(-1);
    return {
      listed: readsFields(range.filters) ? await this.#matching(tenantId, listed, range.filters) : listed,
      next:
        (isEnd && !isCut) || last === undefined
          ? undefined
          : { commitOrder: last.commitOrder, seq: last.seq },
      changes: changes.length,
      bytes,
    };
  }

  /** The accounts of a small set, each at its last change. */
  async #sorted(tenantId: number, set: CandidateSet, range: RecentRange): Promise<Round> {
    const { from, until, direction, limit, filters } = range;
    const all = [...(await this.#lastChanges(tenantId, set, until, filters)).values()];
    const sign = direction === 'asc' ? 1 : -1;
    const sorted = all
      .filter((last) => comparePositions(last, from) * sign > 0)
      .sort((a, b) => comparePositions(a, b) * sign);
    const listed = sorted.slice(0, limit);
    const last = listed.length < sorted.length ? listed.at(-1) : undefined;
    return { listed, next: last && { commitOrder: last.commitOrder, seq: last.seq }, changes: 0, bytes: 0 };
  }

  /** The last change up to `until` of each account that matches all filters. */
  async #lastChanges(
    tenantId: number,
    set: CandidateSet,
    until: Position,
    filters: readonly AccountFilter[],
  ): Promise<Map<string, LastChange>> {
    const { rows } = await sql<ListedAccount>`
      select a.account_id as "accountId", s.turn as "commitOrder", a.last_change as seq,
        ${sizeOf('a.fields')} as size
      from ${this.#dialect.accountsOf(tenantId, set)} ${this.#dialect.setOfChange(tenantId, sql`a.last_change`)}
      where ${matchesAll(filters, this.#dialect)}
    `.execute(this.#db);
    const later = rows.filter((row) => comparePositions(row, until) > 0);
    const earlier = await this.#chains.lastWithin(
      tenantId,
      later.map(({ accountId }) => accountId),
      { until },
    );
    const found = new Map(rows.map((row) => [row.accountId, { ...row, isUnknown: false }]));
    for (const { accountId, size } of later) {
      const position = earlier.get(accountId);
      if (position === undefined) found.delete(accountId);
      else found.set(accountId, { accountId, size, ...atPosition(position, until) });
    }
    return found;
  }

  async #matching(
    tenantId: number,
    listed: readonly ListedAccount[],
    filters: readonly AccountFilter[],
  ): Promise<ListedAccount[]> {
    const ids = this.#dialect.texts(
      listed.map(({ accountId }) => accountId),
      'account_id',
    );
    const { rows } = await sql<{ account_id: string }>`
      select a.account_id from ${this.#dialect.accountsOf(tenantId, ids)} where ${matchesAll(filters, this.#dialect)}
    `.execute(this.#db);
    const matching = new Set(rows.map(({ account_id }) => account_id));
    return listed.filter(({ accountId }) => matching.has(accountId));
  }
}

/** An account may have been archived or deleted since it was found. */
function isListed({ archivedAt, deletedAt }: Account, filters: readonly AccountFilter[]): boolean {
  const archived = archivedIn(filters);
  if (deletedAt !== null) return false;
  return archived === 'include' || (archivedAt !== null) === (archived === 'only');
}

function atPosition(
  position: AccountPosition | 'unknown',
  until: Position,
): Position & { isUnknown: boolean } {
  const isUnknown = position === 'unknown';
  const { commitOrder, seq } = isUnknown ? until : position;
  return { commitOrder, seq, isUnknown };
}
