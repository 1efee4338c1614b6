import { type Kysely, type RawBuilder, sql } from 'kysely';
import { sizeOf } from '../bounded-read.js';
import type { Dialect } from '../dialect.js';
import type { Tables } from '../schema/tables.js';
import { type AccountFilter, begins, foldName, looksInside } from './account-filter.js';

/** What a request looks at for its filters, at most: a page may end early instead. */
export interface ScanBudget {
  readonly accounts: number;
  /** Of their fields, where a filter has to look into them, and one account more. */
  readonly bytes: number;
}

export const SCAN_BUDGET: ScanBudget = { accounts: 5_000, bytes: 8 * 1024 * 1024 };

/** The ids of those that a filter finds by its index. */
export type CandidateSet = RawBuilder<{ account_id: string }>;

/** What filters find by their indexes. */
export class CandidateSets {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;
  readonly #look: ScanBudget;

  constructor(db: Kysely<Tables>, dialect: Dialect, look: ScanBudget) {
    this.#db = db;
    this.#dialect = dialect;
    this.#look = look;
  }

  /** The first set that is small enough to be gone through as a whole. */
  async small(tenantId: number, filters: readonly AccountFilter[]): Promise<CandidateSet | undefined> {
    for (const filter of filters) {
      const parts = partsOf(filter).map((part) => idsBy(tenantId, part));
      if (parts.length === 0 || !(await this.#areFew(parts))) continue;
      const set: CandidateSet = sql`${sql.join(parts, sql` union `)}`;
      if (!looksInside(filters) || (await this.#isLight(tenantId, set))) return set;
    }
    return undefined;
  }

  async #areFew(parts: readonly CandidateSet[]): Promise<boolean> {
    const counts = parts.map(
      (part) => sql`(select count(*) from (${part} limit ${this.#look.accounts + 1}) as few)`,
    );
    const { rows } = await sql<{ total: number }>`
      select ${sql.join(counts, sql` + `)} as total
    `.execute(this.#db);
    return (rows[0]?.total ?? 0) <= this.#look.accounts;
  }

  async #isLight(tenantId: number, set: CandidateSet): Promise<boolean> {
    const { rows } = await sql<{ bytes: number | null }>`
      select sum(${sizeOf('a.fields')}) as bytes from ${this.#dialect.accountsOf(tenantId, set)}
    `.execute(this.#db);
    return (rows[0]?.bytes ?? 0) <= this.#look.bytes;
  }
}

type IndexedFilter = Extract<AccountFilter, { kind: 'parent' | 'id' | 'name' | 'attribute' }>;

/** Each goes by an index; none where the filter has no index. */
function partsOf(filter: AccountFilter): readonly IndexedFilter[] {
  switch (filter.kind) {
    case 'search':
      return [
        { kind: 'id', prefix: filter.id },
        { kind: 'name', prefix: filter.name },
      ];
    case 'attribute':
      return filter.isIndexed ? [filter] : [];
    case 'parent':
    case 'id':
    case 'name':
      return [filter];
    default:
      return [];
  }
}

export function isIndexed(filter: AccountFilter): boolean {
  return partsOf(filter).length > 0;
}

function idsBy(tenantId: number, filter: IndexedFilter): CandidateSet {
  const from = sql`select account_id from account where tenant_id = ${tenantId} and`;
  switch (filter.kind) {
    case 'parent':
      return sql`${from} parent_account_id = ${filter.parentId}`;
    case 'id':
      return sql`${from} ${begins(sql`account_id`, filter.prefix)}`;
    case 'name':
      return sql`${from} name is not null and ${begins(sql`lower(name)`, foldName(filter.prefix))}`;
    case 'attribute':
      return sql`
        select account_id from account_value
        where tenant_id = ${tenantId} and name = ${filter.name} and value = ${filter.value}`;
  }
}
