import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.js';
import type { Tables } from '../schema/tables.js';

/** Values that one step removes: account writes may wait for it. */
const VALUES_PER_STEP = 250;
/** Sorts after the name of every attribute. */
const LAST_NAME = '\u{10ffff}';

export interface UnindexedStep {
  readonly removed: number;
  readonly isDone: boolean;
}

/**
 * Removes indexed values of attributes that are no longer indexed, or no longer declared. It needs no stored progress:
 * the values to remove are those between the names of indexed attributes. So any server can continue, and the values of
 * an attribute that is indexed again stay.
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

  /** On PostgreSQL it skips values that another process is removing or writing. */
  async step(tenantId: number): Promise<UnindexedStep> {
    const [found] = await this.#find(tenantId);
    if (found === undefined) return { removed: 0, isDone: true };
    const { name } = found;
    // Values are replaced, never updated, so this statement cannot delete a value that is written after it started.
    const page = sql`
      from account_value where tenant_id = ${tenantId} and name = ${name} and not exists (
        select 1 from attribute where tenant_id = ${tenantId} and name = ${name} and indexed > 0
      ) order by value, account_id limit ${VALUES_PER_STEP}
      ${this.#dialect.skipLocked('account_value')}`;
    const { rows } = await sql`
      delete from account_value where ${this.#dialect.isAmong(page)} returning 1
    `.execute(this.#db);
    return { removed: rows.length, isDone: rows.length === 0 };
  }

  /** For an account that is about to be deleted: the triggers remove only the values of indexed attributes. */
  async removeOf(tenantId: number, accountId: string): Promise<void> {
    await sql`
      delete from account_value where tenant_id = ${tenantId} and account_id = ${accountId} and name not in (
        select name from attribute where tenant_id = ${tenantId} and indexed > 0
      )
    `.execute(this.#db);
  }

  /** The first name in each gap between indexed attributes, of one tenant or of all. */
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
