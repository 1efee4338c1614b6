import type { Kysely } from 'kysely';
import type { Tables } from '../schema/tables.js';
import { type Actor, changeConfiguration, commandLine, recordChange } from './configuration-changes.js';

/** The account ids, and suffixes of ids, that tenants reject. */
export class BlockedPatterns {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async list(tenantId: number): Promise<string[]> {
    const query = this.#db.selectFrom('blocked_id').select('pattern').where('tenant_id', '=', tenantId);
    return (await query.orderBy('pattern').execute()).map(({ pattern }) => pattern);
  }

  /** False if the pattern is blocked already. */
  add(tenantId: number, pattern: string, by: Actor = commandLine()): Promise<boolean> {
    return changeConfiguration(this.#db, async (db) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('blocked_id')
        .values({ tenant_id: tenantId, pattern })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'pattern']).doNothing())
        .executeTakeFirst();
      const isNew = numInsertedOrUpdatedRows === 1n;
      const change = { action: 'blocked-id.add', subject: pattern, from: null, to: pattern };
      if (isNew) await recordChange(db, tenantId, by, change);
      return isNew;
    });
  }

  remove(tenantId: number, pattern: string, by: Actor = commandLine()): Promise<boolean> {
    return changeConfiguration(this.#db, async (db) => {
      const query = db.deleteFrom('blocked_id').where('tenant_id', '=', tenantId);
      const { numDeletedRows } = await query.where('pattern', '=', pattern).executeTakeFirst();
      const change = { action: 'blocked-id.remove', subject: pattern, from: pattern, to: null };
      if (numDeletedRows === 1n) await recordChange(db, tenantId, by, change);
      return numDeletedRows === 1n;
    });
  }
}
