import { type Kysely, type RawBuilder, sql } from 'kysely';
import { sizeOf } from '../bounded-read.js';
import type { Dialect } from '../dialect.js';
import type { Tables } from '../schema/tables.js';
import { type AccountFilter, foldName, readsFields, startsWith } from './account-filter.js';

/** The most that one request reads to evaluate its filters. A page ends early when the budget is used up. */
export interface ScanBudget {
  readonly accounts: number;
  /** Total size of `account.fields`, if a filter has to read them. The last account read may exceed it. */
  readonly bytes: number;
}

export const SCAN_BUDGET: ScanBudget = { accounts: 5_000, bytes: 8 * 1024 * 1024 };

/** A query for the ids of all accounts that one filter finds by its index. */
export type CandidateSet = RawBuilder<{ account_id: string }>;

/** Finds a filter whose index returns few enough accounts to read and sort all of them. */
export class CandidateSets {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;
  readonly #budget: ScanBudget;

  constructor(db: Kysely<Tables>, dialect: Dialect, budget: ScanBudget) {
    this.#db = db;
    this.#dialect = dialect;
    this.#budget = budget;
  }

  /** The set of the first filter that fits into the scan budget; undefined if none does. */
  async findSmall(tenantId: number, filters: readonly AccountFilter[]): Promise<CandidateSet | undefined> {
    for (const filter of filters) {
      const parts = indexedPartsOf(filter).map((part) => idsBy(tenantId, part, this.#dialect));
      if (parts.length === 0 || !(await this.#areFew(parts))) continue;
      const set: CandidateSet = sql`${sql.join(parts, sql` union `)}`;
      if (!readsFields(filters) || (await this.#isLight(tenantId, set))) return set;
    }
    return undefined;
  }

  /** Whether a scan passes over few enough archived accounts to need no budget for them, by a count a second old. */
  async areFewArchived(tenantId: number): Promise<boolean> {
    const query = this.#db.selectFrom('tally').select('archived').where('tenant_id', '=', tenantId);
    return ((await query.executeTakeFirst())?.archived ?? 0) <= this.#budget.accounts;
  }

  async #areFew(parts: readonly CandidateSet[]): Promise<boolean> {
    const counts = parts.map(
      (part) => sql`(select count(*) from (${part} limit ${this.#budget.accounts + 1}) as few)`,
    );
    const { rows } = await sql<{ total: number }>`
      select ${sql.join(counts, sql` + `)} as total
    `.execute(this.#db);
    return (rows[0]?.total ?? 0) <= this.#budget.accounts;
  }

  async #isLight(tenantId: number, set: CandidateSet): Promise<boolean> {
    const { rows } = await sql<{ bytes: number | null }>`
      select sum(${sizeOf('a.fields')}) as bytes from ${this.#dialect.accountsOf(tenantId, set)}
    `.execute(this.#db);
    return (rows[0]?.bytes ?? 0) <= this.#budget.bytes;
  }
}

type IndexedFilter = Extract<
  AccountFilter,
  { kind: 'parent' | 'ids' | 'id' | 'name' | 'attribute' | 'archived' }
>;

/** The index look-ups that together find all accounts of a filter; empty if no index serves the filter. */
function indexedPartsOf(filter: AccountFilter): readonly IndexedFilter[] {
  switch (filter.kind) {
    case 'search':
      return [
        { kind: 'id', prefix: filter.id },
        { kind: 'name', prefix: filter.name },
      ];
    case 'attribute':
      return filter.isIndexed ? [filter] : [];
    case 'archived':
      return filter.which === 'only' ? [filter] : [];
    case 'parent':
    case 'ids':
    case 'id':
    case 'name':
      return [filter];
    default:
      return [];
  }
}

export function isIndexed(filter: AccountFilter): boolean {
  return indexedPartsOf(filter).length > 0;
}

function idsBy(tenantId: number, filter: IndexedFilter, dialect: Dialect): CandidateSet {
  const from = sql`select account_id from account where tenant_id = ${tenantId} and`;
  switch (filter.kind) {
    case 'parent':
      return sql`${from} parent_account_id = ${filter.parentId}`;
    case 'ids':
      return dialect.texts(filter.ids, 'account_id');
    case 'id':
      return sql`${from} ${startsWith(sql`account_id`, filter.prefix)}`;
    case 'name':
      return sql`${from} name is not null and ${startsWith(sql`lower(name)`, foldName(filter.prefix))}`;
    case 'archived':
      // In the order of their index. PostgreSQL may otherwise read all accounts of the tenant.
      return sql`${from} archived_at is not null order by account_id`;
    case 'attribute':
      return sql`
        select account_id from account_value
        where tenant_id = ${tenantId} and name = ${filter.name} and value = ${filter.value}`;
  }
}
