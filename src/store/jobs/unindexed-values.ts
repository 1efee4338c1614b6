import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.js';
import type { Tables } from '../schema/tables.js';

/** Removed in one step: writers of accounts may wait for it. */
const VALUES_AT_ONCE = 250;
/** No name of an attribute comes behind it. */
const LAST_NAME = '\u{10ffff}';

export interface UnindexedStep {
  readonly removed: number;
  readonly isDone: boolean;
}

/**
 * Removes values of attributes that are no longer indexed, or no longer declared. What is left to remove is seen from the
 * values themselves, in the gaps between the names of indexed attributes; so every server goes on where another ended,
 * and an attribute that is indexed again meanwhile is left alone.
 */
export class UnindexedValues {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
  }

  /** Tenants that hold such values. */
  async due(): Promise<number[]> {
    return [...new Set((await this.#find()).map(({ tenant_id }) => tenant_id))];
  }

  /** On PostgreSQL what another process removes or writes right now is left to it. */
  async step(tenantId: number): Promise<UnindexedStep> {
    const [found] = await this.#find(tenantId);
    if (found === undefined) return { removed: 0, isDone: true };
    const { name } = found;
    // Values are replaced, never updated: none that is written after this statement began can be among these.
    const page = sql`
      from account_value where tenant_id = ${tenantId} and name = ${name} and not exists (
        select 1 from attribute where tenant_id = ${tenantId} and name = ${name} and indexed > 0
      ) order by value, account_id limit ${VALUES_AT_ONCE}
      ${this.#dialect.skipLocked('account_value')}`;
    const { rows } = await sql`
      delete from account_value where ${this.#dialect.isAmong(page)} returning 1
    `.execute(this.#db);
    return { removed: rows.length, isDone: rows.length === 0 };
  }

  /** Those of one account, which is about to be deleted: triggers remove the rest only while an attribute is indexed. */
  async removeOf(tenantId: number, accountId: string): Promise<void> {
    await sql`
      delete from account_value where tenant_id = ${tenantId} and account_id = ${accountId} and name not in (
        select name from attribute where tenant_id = ${tenantId} and indexed > 0
      )
    `.execute(this.#db);
  }

  /** The first such name in each gap, of one tenant or of all. */
  async #find(tenantId?: number): Promise<{ tenant_id: number; name: string }[]> {
    const isOf = (column: string) =>
      tenantId === undefined ? sql`1 = 1` : sql`${sql.ref(column)} = ${tenantId}`;
    const { rows } = await sql<{ tenant_id: number; name: string }>`
      select tenant_id, name from (
        select tenant_id, (
          select name from account_value as held
          where held.tenant_id = gap.tenant_id and held.name > gap.lower
            and held.name < coalesce(gap.upper, ${LAST_NAME})
          order by held.name limit 1
        ) as name from (
          select tenant_id, name as lower, lead(name) over (partition by tenant_id order by name) as upper from (
            select id as tenant_id, '' as name from tenant where ${isOf('id')}
            union all select tenant_id, name from attribute where indexed > 0 and ${isOf('tenant_id')}
          ) as bounds
        ) as gap
      ) as found where name is not null
    `.execute(this.#db);
    return rows;
  }
}
