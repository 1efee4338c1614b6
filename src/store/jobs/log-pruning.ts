import { type Kysely, type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../../domain/tenant.js';
import type { Dialect } from '../dialect.js';
import type { Tables } from '../schema/tables.js';

/** Rows that one step reads, and at most removes. */
const ROWS_PER_STEP = 200;

export interface LogStep {
  readonly removed: number;
  readonly isDone: boolean;
}

/** Removes rejections, or deliveries to webhooks, that are older than their tenant keeps them. */
export class LogPruning {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;
  readonly #table: RawBuilder<unknown>;

  constructor(db: Kysely<Tables>, dialect: Dialect, table: 'rejection' | 'webhook_delivery') {
    this.#db = db;
    this.#dialect = dialect;
    this.#table = sql.table(table);
  }

  /** Tenants whose first row is too old. `days` applies to tenants without a setting. */
  async due(now: number, days: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select tenant.id from tenant join ${this.#table} as log on log.id = (
        select id from ${this.#table} where tenant_id = tenant.id order by id limit 1
      ) where log.at < ${oldestKept(now, days)}
    `.execute(this.#db);
    return rows.map(({ id }) => id);
  }

  /** Checks the first rows of a tenant. On PostgreSQL it skips those that another process is removing. */
  async step(tenantId: number, now: number, days: number): Promise<LogStep> {
    const { rows } = await sql`
      delete from ${this.#table} where id in (
        select log.id from tenant join ${this.#table} as log on tenant_id = tenant.id
        where tenant.id = ${tenantId} and log.at < ${oldestKept(now, days)} and log.id in (
          select id from ${this.#table} where tenant_id = ${tenantId} order by id limit ${ROWS_PER_STEP}
        ) ${this.#dialect.skipLocked('log')}
      ) returning 1
    `.execute(this.#db);
    return { removed: rows.length, isDone: rows.length < ROWS_PER_STEP };
  }
}

/** SQL: the oldest timestamp that the tenant of the query keeps. */
function oldestKept(now: number, days: number): RawBuilder<number> {
  return sql`${now} - cast(coalesce(tenant.rejection_days, ${days}) as bigint) * ${sql.lit(DAY_MS)}`;
}
