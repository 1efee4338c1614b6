import type { Kysely } from 'kysely';
import { isLongerThan } from '../../domain/text.js';
import { changeConfiguration } from '../directory/change-configuration.js';
import type { Dialect } from '../migrations/all-migrations.js';
import type { Tables } from '../tables.js';

const ACCOUNTS_AT_ONCE = 1_000;
/** In characters of JSON; longer values are not in the index. */
const MAX_INDEXED_LENGTH = 200;

/** `value` is JSON text. */
export function fitsIndex(value: string): boolean {
  return !isLongerThan(value, MAX_INDEXED_LENGTH);
}

/** Fills the index of an attribute with what was stored before; triggers keep it from then on. */
export class AttributeIndex {
  readonly #db: Kysely<Tables>;
  readonly #dialect: Dialect;

  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db;
    this.#dialect = dialect;
  }

  /** Goes on to the end, or until the index is not wanted any more. */
  async build(tenantId: number, name: string): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined; ) {
      after = await this.#buildPage(tenantId, name, after);
    }
  }

  /** The last account of the page; undefined at the end. */
  #buildPage(tenantId: number, name: string, after: string): Promise<string | undefined> {
    // A change of the configuration, since the caches of all processes have to know when it is ready.
    return changeConfiguration(this.#db, async (db) => {
      const attribute = db
        .updateTable('attribute')
        .where('tenant_id', '=', tenantId)
        .where('name', '=', name);
      const isWanted = await attribute.where('indexed', '=', 1).set({ indexed: 1 }).executeTakeFirst();
      if (isWanted.numUpdatedRows === 0n) return undefined;
      const accounts = await db
        .selectFrom('account')
        .select(['account_id', 'fields'])
        .where('tenant_id', '=', tenantId)
        .where('account_id', '>', after)
        .orderBy('account_id')
        .limit(ACCOUNTS_AT_ONCE)
        .$if(this.#dialect === 'postgres', (query) => query.forShare())
        .execute();
      const rows = accounts.flatMap(({ account_id, fields }) => {
        const value = JSON.stringify(JSON.parse(fields)[name]);
        const fits = value !== undefined && fitsIndex(value);
        return fits ? [{ tenant_id: tenantId, account_id, name, value }] : [];
      });
      // An earlier index may have left values that are outdated. Of these accounts alone: of others that came meanwhile
      // the trigger has written what is right.
      const ofThese = accounts.map(({ account_id }) => account_id);
      const values = db
        .deleteFrom('account_value')
        .where('tenant_id', '=', tenantId)
        .where('name', '=', name);
      if (ofThese.length > 0) await values.where('account_id', 'in', ofThese).execute();
      if (rows.length > 0) await db.insertInto('account_value').values(rows).execute();
      if (accounts.length === ACCOUNTS_AT_ONCE) return ofThese.at(-1);
      await attribute.set({ indexed: 2 }).execute();
      return undefined;
    });
  }
}
