import { type Kysely, sql } from 'kysely';
import type { Account } from '../../domain/account.js';
import type { Tables } from '../schema/tables.js';
import type { AccountPages, PageKey } from './account-pages.js';
import type { AccountReader } from './account-reader.js';
import type { Listing } from './listing-plan.js';

/** Deeper than any real hierarchy. Levels below it are not read. */
export const MAX_DEPTH = 32;
const SIBLINGS_PER_PAGE = 100;
/** Children that are examined to find one that is not archived. */
const MAX_EXAMINED = 1_000;

export interface Ancestors {
  /** Nearest first. */
  readonly accounts: readonly Account[];
  /** The parent that the last account names, if no such account is stored. */
  readonly missingParent: string | undefined;
  /** The ids from an account up to itself, if the parents form a cycle. */
  readonly cycle: readonly string[] | undefined;
  /** False if there are more than `MAX_DEPTH` ancestors. */
  readonly isComplete: boolean;
}

export interface Descendant {
  readonly account: Account;
  /** The ids from the child of the root down to the account itself. */
  readonly path: readonly string[];
}

export interface Subtree {
  readonly descendants: readonly Descendant[];
  /** The path after which the next page starts; undefined on the last page. */
  readonly next: readonly string[] | undefined;
  readonly cycle: readonly string[] | undefined;
}

/** The hierarchy of accounts. Callers may store parents that do not exist and cycles, so both are reported. */
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
    const path = [account.accountId];
    const end = { accounts, missingParent: undefined, cycle: undefined, isComplete: true };
    for (let parentId = parentOf(account); parentId !== undefined; ) {
      const seen = path.indexOf(parentId);
      if (seen !== -1) return { ...end, cycle: [...path.slice(seen), parentId] };
      if (accounts.length === MAX_DEPTH) return { ...end, isComplete: false };
      const parent = await this.#reader.find(tenantId, parentId);
      if (parent === undefined) return { ...end, missingParent: parentId };
      accounts.push(parent);
      path.push(parentId);
      parentId = parentOf(parent);
    }
    return end;
  }

  /**
   * Depth first, starting after the path `after`. Each account has one parent, so a cycle can only lead to the root.
   */
  async subtree(
    tenantId: number,
    rootId: string,
    limit: number,
    after: readonly string[] = [],
  ): Promise<Subtree> {
    const descendants: Descendant[] = [];
    let cycle: readonly string[] | undefined;
    for await (const descendant of this.#descendants(tenantId, rootId, after)) {
      if (descendant.account.accountId === rootId) {
        cycle = [rootId, ...descendant.path];
        continue;
      }
      if (descendants.length === limit) return { descendants, next: descendants.at(-1)?.path, cycle };
      descendants.push(descendant);
    }
    return { descendants, next: undefined, cycle };
  }

  /**
   * First the children of the last account of the path, then its later siblings, then those of each account above it.
   */
  async *#descendants(tenantId: number, rootId: string, path: readonly string[]): AsyncGenerator<Descendant> {
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
      const page = await this.#pages.page(tenantId, childrenOf(parentId), SIBLINGS_PER_PAGE, next);
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

  /** The ids of those accounts that have children which are not archived. */
  async parentsAmong(tenantId: number, accounts: readonly Account[]): Promise<Set<string>> {
    if (accounts.length === 0) return new Set();
    const ids = accounts.map(({ accountId }) => accountId);
    // An account may have any number of children, and all may be archived: only the first are examined. If there are
    // more, one is assumed to be listed.
    const few = sql`
      select child.archived_at from account as child
      where child.tenant_id = ${tenantId} and child.parent_account_id = a.account_id limit ${MAX_EXAMINED}`;
    const rows = await this.#db
      .selectFrom('account as a')
      .select('account_id')
      .where('tenant_id', '=', tenantId)
      .where('account_id', 'in', ids)
      .where(
        sql<boolean>`(select count(*) = ${MAX_EXAMINED} or count(*) > count(archived_at) from (${few}) as few)`,
      )
      .execute();
    return new Set(rows.map(({ account_id }) => account_id));
  }
}

/** The direct children of an account, by id, without archived ones. */
export function childrenOf(parentId: string): Listing {
  return { order: 'id', filters: [{ kind: 'parent', parentId }] };
}

function parentOf({ fields }: Account): string | undefined {
  return fields.parent_account_id as string | undefined;
}
