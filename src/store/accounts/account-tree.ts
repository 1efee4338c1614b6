import type { Kysely } from 'kysely';
import type { Account } from '../../domain/account.js';
import type { Tables } from '../schema/tables.js';
import type { AccountPages, PageKey } from './account-pages.js';
import type { AccountReader } from './account-reader.js';
import type { Listing } from './listing-plan.js';

/** Deeper than any real hierarchy; what lies below is not followed. */
export const MAX_DEPTH = 32;
const SIBLINGS_AT_ONCE = 100;

export interface Ancestors {
  /** Nearest first. */
  readonly accounts: readonly Account[];
  /** The last of them names a parent that is not stored. */
  readonly missingParent: string | undefined;
  /** From an account up to itself, where the way up never ends. */
  readonly cycle: readonly string[] | undefined;
  readonly isComplete: boolean;
}

export interface Descendant {
  readonly account: Account;
  /** From below the root down to the account itself. */
  readonly path: readonly string[];
}

export interface Subtree {
  readonly descendants: readonly Descendant[];
  /** The path to go on behind; undefined at the end. */
  readonly next: readonly string[] | undefined;
  readonly cycle: readonly string[] | undefined;
}

/** The hierarchy, which callers may leave with gaps and cycles. */
export class AccountTree {
  readonly #db: Kysely<Tables>;
  readonly #reader: AccountReader;
  readonly #pages: AccountPages;

  constructor(db: Kysely<Tables>, reader: AccountReader, pages: AccountPages) {
    this.#db = db;
    this.#reader = reader;
    this.#pages = pages;
  }

  async ancestors(tenantId: number, account: Account): Promise<Ancestors> {
    const accounts: Account[] = [];
    const way = [account.accountId];
    const end = { accounts, missingParent: undefined, cycle: undefined, isComplete: true };
    for (let parentId = parentOf(account); parentId !== undefined; ) {
      const seen = way.indexOf(parentId);
      if (seen !== -1) return { ...end, cycle: [...way.slice(seen), parentId] };
      if (accounts.length === MAX_DEPTH) return { ...end, isComplete: false };
      const parent = await this.#reader.find(tenantId, parentId);
      if (parent === undefined) return { ...end, missingParent: parentId };
      accounts.push(parent);
      way.push(parentId);
      parentId = parentOf(parent);
    }
    return end;
  }

  /** Depth first, from behind `after`. Each account has one parent, so the only way round leads through the root. */
  async subtree(
    tenantId: number,
    rootId: string,
    limit: number,
    after: readonly string[] = [],
  ): Promise<Subtree> {
    const descendants: Descendant[] = [];
    let cycle: readonly string[] | undefined;
    for await (const descendant of this.#below(tenantId, rootId, after)) {
      if (descendant.account.accountId === rootId) {
        cycle = [rootId, ...descendant.path];
        continue;
      }
      if (descendants.length === limit) return { descendants, next: descendants.at(-1)?.path, cycle };
      descendants.push(descendant);
    }
    return { descendants, next: undefined, cycle };
  }

  /** First what is below the end of the path, then its later siblings, then those of each account above it. */
  async *#below(tenantId: number, rootId: string, path: readonly string[]): AsyncGenerator<Descendant> {
    for (let depth = path.length; depth >= 0; depth -= 1) {
      const sibling = path[depth];
      const above = path.slice(0, depth);
      const after = sibling === undefined ? [] : ['0', sibling];
      yield* this.#childrenOf(tenantId, rootId, above, after);
    }
  }

  async *#childrenOf(
    tenantId: number,
    rootId: string,
    above: readonly string[],
    after: PageKey,
  ): AsyncGenerator<Descendant> {
    if (above.length >= MAX_DEPTH) return;
    const parentId = above.at(-1) ?? rootId;
    for (let next: PageKey | undefined = after; next !== undefined; ) {
      const page = await this.#pages.page(tenantId, childrenOf(parentId), SIBLINGS_AT_ONCE, next);
      const parents = await this.parentsAmong(tenantId, page.accounts);
      for (const account of page.accounts) {
        const path = [...above, account.accountId];
        yield { account, path };
        if (account.accountId === rootId || !parents.has(account.accountId)) continue;
        yield* this.#childrenOf(tenantId, rootId, path, []);
      }
      next = page.next;
    }
  }

  /** Which of these accounts have others below them. */
  async parentsAmong(tenantId: number, accounts: readonly Account[]): Promise<Set<string>> {
    if (accounts.length === 0) return new Set();
    const ids = accounts.map(({ accountId }) => accountId);
    // One child of each is enough: there may be any number.
    const rows = await this.#db
      .selectFrom('account as a')
      .select('account_id')
      .where('tenant_id', '=', tenantId)
      .where('account_id', 'in', ids)
      .where((where) =>
        where.exists(
          where
            .selectFrom('account as child')
            .select('child.revision')
            .where('child.tenant_id', '=', tenantId)
            .whereRef('child.parent_account_id', '=', 'a.account_id'),
        ),
      )
      .execute();
    return new Set(rows.map(({ account_id }) => account_id));
  }
}

/** Those directly below, by id. */
export function childrenOf(parentId: string): Listing {
  return { order: 'id', filters: [{ kind: 'parent', parentId }] };
}

function parentOf({ fields }: Account): string | undefined {
  return fields.parent_account_id as string | undefined;
}
