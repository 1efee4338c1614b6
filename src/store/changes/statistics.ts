import type { Kysely } from 'kysely';
import { CHANGE_KINDS } from '../schema/change-set.js';
import { BEGINNING, type Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';
import type { PeriodCount, Unit } from './period-counts.js';

export interface FieldUse {
  readonly name: string;
  readonly accounts: number;
  readonly shapes: number;
}

/** More fields than a person would read. */
const MAX_FIELDS = 1_000;

/** The counts that `StatisticsUpdate` has stored, about a second after the writes. */
export class Statistics {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Without archived accounts. */
  async accounts(tenantId: number): Promise<number> {
    return (await this.counts(tenantId)).accounts;
  }

  /** How many accounts are archived, and how many are not. */
  async counts(tenantId: number): Promise<{ accounts: number; archived: number }> {
    const query = this.#db.selectFrom('tally').select(['accounts', 'archived']);
    const counted = await query.where('tenant_id', '=', tenantId).executeTakeFirst();
    return counted ?? { accounts: 0, archived: 0 };
  }

  /** All accounts, archived or not. */
  async stored(tenantId: number): Promise<number> {
    const { accounts, archived } = await this.counts(tenantId);
    return accounts + archived;
  }

  /** The last set that is counted. */
  async countedTo(tenantId: number): Promise<Position> {
    const query = this.#db.selectFrom('tally').select(['turn as commitOrder', 'seq']);
    return (await query.where('tenant_id', '=', tenantId).executeTakeFirst()) ?? BEGINNING;
  }

  /** Oldest first. Periods without a change or rejection are left out. */
  async periods(tenantId: number, unit: Unit, from: number, to: number): Promise<PeriodCount[]> {
    return this.#db
      .selectFrom('period_count')
      .select(['start', ...CHANGE_KINDS, 'refused'])
      .where('tenant_id', '=', tenantId)
      .where('unit', '=', unit)
      .where('start', '>=', from)
      .where('start', '<', to)
      .orderBy('start')
      .execute();
  }

  /** The number of accounts that have a field. */
  async holders(tenantId: number, name: string): Promise<number> {
    const query = this.#db.selectFrom('field_use').select('accounts').where('tenant_id', '=', tenantId);
    return (await query.where('name', '=', name).executeTakeFirst())?.accounts ?? 0;
  }

  /** The fields that most accounts have come first. */
  async fields(tenantId: number): Promise<FieldUse[]> {
    const query = this.#db
      .selectFrom('field_use')
      .select(['name', 'accounts', 'shapes'])
      .where('tenant_id', '=', tenantId);
    return query.orderBy('accounts', 'desc').orderBy('name').limit(MAX_FIELDS).execute();
  }
}
