import type { Kysely } from 'kysely';
import type { Tables } from '../schema/tables.js';
import type { PeriodCount, Unit } from './period-counts.js';

export interface FieldUse {
  readonly name: string;
  readonly accounts: number;
  readonly shapes: number;
}

/** More fields than anybody could look at. */
const MAX_FIELDS = 1_000;

/** What the tally has counted, about a second behind the writes. */
export class Statistics {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async accounts(tenantId: number): Promise<number> {
    const query = this.#db.selectFrom('tally').select('accounts').where('tenant_id', '=', tenantId);
    return (await query.executeTakeFirst())?.accounts ?? 0;
  }

  /** Oldest first; periods in which nothing happened are left out. */
  async periods(tenantId: number, unit: Unit, from: number, to: number): Promise<PeriodCount[]> {
    return this.#db
      .selectFrom('period_count')
      .select(['start', 'created', 'updated', 'deleted', 'refused'])
      .where('tenant_id', '=', tenantId)
      .where('unit', '=', unit)
      .where('start', '>=', from)
      .where('start', '<', to)
      .orderBy('start')
      .execute();
  }

  /** How many accounts hold a field. */
  async holders(tenantId: number, name: string): Promise<number> {
    const query = this.#db.selectFrom('field_use').select('accounts').where('tenant_id', '=', tenantId);
    return (await query.where('name', '=', name).executeTakeFirst())?.accounts ?? 0;
  }

  /** Those that most accounts hold come first. */
  async fields(tenantId: number): Promise<FieldUse[]> {
    const query = this.#db
      .selectFrom('field_use')
      .select(['name', 'accounts', 'shapes'])
      .where('tenant_id', '=', tenantId);
    return query.orderBy('accounts', 'desc').orderBy('name').limit(MAX_FIELDS).execute();
  }
}
