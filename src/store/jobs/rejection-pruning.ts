import { type Kysely, type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../../domain/tenant.js';
import type { Dialect } from '../dialect.js';
import type { Tables } from '../schema/tables.js';

/** Rejections that one step reads, and at most removes. */
const REJECTIONS_PER_STEP = 200;

export interface RejectionStep {
  readonly removed: number;
  readonly isDone: boolean;
}

/** Removes rejections that are older than their tenant keeps them. `days` applies to tenants without a setting. */
export class RejectionPruning {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
  }

  /** Tenants whose first rejection is too old. */
  async due(now: number, days: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select tenant.id from tenant join rejection on rejection.id = (
        select id from rejection where tenant_id = tenant.id order by id limit 1
      ) where rejection.at < ${oldestKept(now, days)}
    `.execute(this.#db);
    return rows.map(({ id }) => id);
  }

  /** Checks the first rejections of a tenant. On PostgreSQL it skips those that another process is removing. */
  async step(tenantId: number, now: number, days: number): Promise<RejectionStep> {
    const { rows } = await sql`
      delete from rejection where id in (
        select rejection.id from tenant join rejection on tenant_id = tenant.id
        where tenant.id = ${tenantId} and rejection.at < ${oldestKept(now, days)} and rejection.id in (
          select id from rejection where tenant_id = ${tenantId} order by id limit ${REJECTIONS_PER_STEP}
        ) ${this.#dialect.skipLocked('rejection')}
      ) returning 1
    `.execute(this.#db);
    return { removed: rows.length, isDone: rows.length < REJECTIONS_PER_STEP };
  }
}

/** SQL: the oldest timestamp that the tenant of the query keeps. */
function oldestKept(now: number, days: number): RawBuilder<number> {
  return sql`${now} - cast(coalesce(tenant.rejection_days, ${days}) as bigint) * ${sql.lit(DAY_MS)}`;
}
