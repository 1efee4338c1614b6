import type { Kysely } from 'kysely';
import { PAGE_BYTES } from '../bounded-read.js';
import type { Dialect } from '../dialect.js';
import { type Sender, withSenders } from '../runs/senders.js';
import { type Change, type ChangePointer, decodeLine, headOf, linesOf, setOf } from '../schema/change-set.js';
import type { Tables } from '../schema/tables.js';
import { ChangeChains } from './change-chains.js';
import { hidePending } from './pending-erasures.js';
import { isAmongSets } from './sets-after.js';

export interface AccountChange extends Omit<Change, 'accountId'>, Sender {
  readonly at: number;
  readonly requestId: string;
  readonly senderId: string;
  /** Null if the request belongs to no run. */
  readonly runId: number | null;
}

export interface HistoryRange {
  /** Starts with the change that is stored there; by default with the last one. */
  readonly from?: ChangePointer | null;
  readonly limit?: number;
}

export interface HistoryPage {
  /** Newest first. */
  readonly changes: readonly AccountChange[];
  /** Where each change is stored, in the same order. */
  readonly pointers: readonly ChangePointer[];
  /** Where the change before the last of the page is stored; null if there is none. */
  readonly next: ChangePointer | null;
}

/** Links that are read before the event loop serves other requests. */
const PIECE_LINKS = 250;

/** The history of single accounts. */
export class AccountHistory {
  readonly #db: Kysely<Tables>;
  readonly #chains: ChangeChains;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#chains = new ChangeChains(db, dialect);
  }

  /** All changes, oldest first. */
  async read(tenantId: number, accountId: string): Promise<AccountChange[]> {
    const all: AccountChange[] = [];
    let from: ChangePointer | null = null;
    do {
      const page = await this.page(tenantId, accountId, { from, limit: PIECE_LINKS });
      all.push(...page.changes);
      from = page.next;
    } while (from !== null);
    return all.reverse();
  }

  /** A page of changes, bounded in number and bytes. */
  async page(
    tenantId: number,
    accountId: string,
    { from, limit = PIECE_LINKS }: HistoryRange,
  ): Promise<HistoryPage> {
    const changes: AccountChange[] = [];
    const pointers: ChangePointer[] = [];
    let next = from ?? (await this.#lastChange(tenantId, accountId));
    let bytes = PAGE_BYTES;
    while (next !== null && changes.length < limit && bytes > 0) {
      // One more shows whether there is a next page.
      const links = Math.min(limit - changes.length, PIECE_LINKS) + 1;
      const [chain = []] = await this.#chains.read(tenantId, [next], { links, bytes });
      const found = chain.map((link) => ({ ...link, ...decodeLine(link) }));
      if (found[0]?.accountId !== accountId) break;
      const isMore = found.length === links;
      const visible = await hidePending(this.#db, tenantId, isMore ? found.slice(0, -1) : found);
      const shown = await withSenders(this.#db, tenantId, visible);
      for (const { seq, place, text, commitOrder, previous, accountId: _, ...change } of shown) {
        changes.push(change);
        pointers.push({ seq, place });
        bytes -= text.length;
      }
      next = isMore
        ? pointerOf(found.at(-1))
        : await this.#existing(tenantId, accountId, found.at(-1)?.previous);
    }
    return { changes, pointers, next };
  }

  /** Whether no change of the account was removed. */
  async isComplete(tenantId: number, accountId: string): Promise<boolean> {
    const account = await this.#db
      .selectFrom('account')
      .select('first_change')
      .where('tenant_id', '=', tenantId)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    const first = account?.first_change ?? null;
    if (first === null) return false;
    const set = await this.#db
      .selectFrom('change_set')
      .select('entries')
      .where(isAmongSets(tenantId, [setOf(first)]))
      .executeTakeFirst();
    if (set === undefined) return false;
    for (const { seq } of linesOf(setOf(first), set.entries)) if (seq === first) return true;
    return false;
  }

  async #lastChange(tenantId: number, accountId: string): Promise<ChangePointer | null> {
    const account = await this.#db
      .selectFrom('account')
      .select(['last_change', 'last_place'])
      .where('tenant_id', '=', tenantId)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    const { last_change: seq = null, last_place: place = null } = account ?? {};
    return seq === null || place === null ? null : { seq, place };
  }

  /** The pointer, if it leads to a change of the account. */
  async #existing(
    tenantId: number,
    accountId: string,
    pointer: ChangePointer | null | undefined,
  ): Promise<ChangePointer | null> {
    if (pointer === null || pointer === undefined) return null;
    const [[link] = []] = await this.#chains.read(tenantId, [pointer], { links: 1, bytes: 1 });
    return link !== undefined && headOf(link.text).accountId === accountId ? pointer : null;
  }
}

function pointerOf(link: ChangePointer | undefined): ChangePointer | null {
  return link === undefined ? null : { seq: link.seq, place: link.place };
}
