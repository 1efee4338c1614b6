import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Account } from '../../domain/account.js';
import { accountFromRow, type Tables } from '../tables.js';
import { readBounded, sizeOf, upTo } from './page-bytes.js';

/** Each has an index of its own, and with it an order: by name that of the names, otherwise that of the ids. */
export type AccountFilter =
  | { readonly kind: 'all' }
  | { readonly kind: 'id'; readonly prefix: string }
  | { readonly kind: 'name'; readonly prefix: string }
  | { readonly kind: 'parent'; readonly parentId: string }
  /** `value` is JSON text. */
  | { readonly kind: 'attribute'; readonly name: string; readonly value: string };

/** What comes behind the last account of a page: its id, after its folded name where that is the order. */
export type PageKey = readonly string[];

export interface AccountPage {
  readonly accounts: readonly Account[];
  /** Undefined at the end. */
  readonly next: PageKey | undefined;
}

/** A count goes no further, so that it costs no more than a page. */
export const MAX_COUNT = 10_000;

/** Behind every text that begins with the same characters. */
const LAST_CHARACTER = '\u{10ffff}';

const ALL_BUT_FIELDS = [
  'a.account_id',
  'a.parent_account_id',
  'a.name',
  'a.revision',
  'a.created_at',
  'a.updated_at',
  'a.deleted_at',
] as const;

type AccountQuery = SelectQueryBuilder<{ a: Tables['account'] }, 'a', object>;

/** Pages of accounts by key, never by offset: what others write moves no account but the one whose key it changes. */
export class AccountPages {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async page(
    tenantId: number,
    filter: AccountFilter,
    limit: number,
    after: PageKey = [],
  ): Promise<AccountPage> {
    const id = sql.ref(filter.kind === 'attribute' ? 'v.account_id' : 'a.account_id');
    const key = filter.kind === 'name' ? sql`lower(a.name), ${id}` : id;
    let query = this.#matching(tenantId, filter, after);
    if (after.length > 0) query = query.where(sql<boolean>`(${key}) > (${sql.join(after)})`);
    const ordered = filter.kind === 'name' ? query.orderBy(sql`lower(a.name)`) : query;
    // Of the index that is gone by: SQLite would otherwise go through the accounts, in their order.
    const page = ordered.orderBy(id);
    const { rows, isCut } = await readBounded(limit + 1, 'fields', (count, bytes) =>
      page
        .select(ALL_BUT_FIELDS)
        .select([sizeOf('a.fields').as('size'), upTo(bytes, 'a.fields').as('fields')])
        .limit(count)
        .execute(),
    );
    const accounts = rows.slice(0, limit).map(accountFromRow);
    return { accounts, next: isCut || rows.length > limit ? keyOf(filter, accounts.at(-1)) : undefined };
  }

  /** `MAX_COUNT` where there are more. */
  async count(tenantId: number, filter: AccountFilter): Promise<number> {
    const some = this.#matching(tenantId, filter).select('a.revision').limit(MAX_COUNT).as('some');
    const { total } = await this.#db
      .selectFrom(some)
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return total;
  }

  /** Begins at `after` rather than at the prefix: of two lower bounds SQLite would look up either. */
  #matching(tenantId: number, filter: AccountFilter, [after]: PageKey = []): AccountQuery {
    const all = this.#db
      .selectFrom('account as a')
      .where('a.tenant_id', '=', tenantId)
      .where('a.deleted_at', 'is', null);
    switch (filter.kind) {
      case 'all':
        return all;
      case 'id':
        return all
          .where('a.account_id', '>=', after ?? filter.prefix)
          .where('a.account_id', '<', filter.prefix + LAST_CHARACTER);
      case 'name': {
        const prefix = foldName(filter.prefix);
        return all
          .where('a.name', 'is not', null)
          .where(sql<boolean>`lower(a.name) >= ${after ?? prefix}`)
          .where(sql<boolean>`lower(a.name) < ${prefix + LAST_CHARACTER}`);
      }
      case 'parent':
        return all.where('a.parent_account_id', '=', filter.parentId);
      case 'attribute': {
        const { name, value } = filter;
        return all
          .innerJoin('account_value as v', (join) =>
            join.onRef('v.tenant_id', '=', 'a.tenant_id').onRef('v.account_id', '=', 'a.account_id'),
          )
          .where('v.tenant_id', '=', tenantId)
          .where('v.name', '=', name)
          .where('v.value', '=', value) as unknown as AccountQuery;
      }
    }
  }
}

/** Of how many texts the key of a page consists. */
export function keyLength({ kind }: AccountFilter): number {
  return kind === 'name' ? 2 : 1;
}

function keyOf({ kind }: AccountFilter, last: Account | undefined): PageKey | undefined {
  if (last === undefined) return undefined;
  return kind === 'name' ? [foldName(String(last.fields.name)), last.accountId] : [last.accountId];
}

/** As `lower` does in text that is compared byte by byte, on both databases. */
function foldName(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
