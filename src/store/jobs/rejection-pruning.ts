import { type Kysely, type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../../domain/tenant.js';
import type { Dialect } from '../dialect.js';
import type { Tables } from '../schema/tables.js';

/** Looked at, and removed at most, in one step. */
const REJECTIONS_AT_ONCE = 200;

export interface RejectionStep {
  readonly removed: number;
  readonly isDone: boolean;
}

/** Removes refusals that are older than their tenants keep them; `days` is for those that do not say. */
export class RejectionPruning {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
  }

  /** Tenants whose first refusal is too old. */
  async due(now: number, days: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select tenant.id from tenant join rejection on rejection.id = (
        select id from rejection where tenant_id = tenant.id order by id limit 1
      ) where rejection.at < ${oldestKept(now, days)}
    `.execute(this.#db);
    return rows.map(({ id }) => id);
  }

  /** Looks at a tenant's first. On PostgreSQL those that another process removes right now are left to it. */
  async step(tenantId: number, now: number, days: number): Promise<RejectionStep> {
    const { rows } = await sql`
      delete from rejection where id in (
        select rejection.id from tenant join rejection on tenant_id = tenant.id
        where tenant.id = ${tenantId} and rejection.at < ${oldestKept(now, days)} and rejection.id in (
          select id from rejection where tenant_id = ${tenantId} order by id limit ${REJECTIONS_AT_ONCE}
        ) ${this.#dialect.skipLocked('rejection')}
      ) returning 1
    `.execute(this.#db);
    return { removed: rows.length, isDone: rows.length < REJECTIONS_AT_ONCE };
  }
}

/** Of the tenant in the query. */
function oldestKept(now: number, days: number): RawBuilder<number> {
  return sql`${now} - cast(coalesce(tenant.rejection_days, ${days}) as bigint) * ${sql.lit(DAY_MS)}`;
}
