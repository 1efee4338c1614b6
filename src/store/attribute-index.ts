import { type Kysely, sql } from 'kysely';
import type { Dialect } from './migrations/all-migrations.js';
import type { Tables } from './tables.js';

const ACCOUNTS_AT_ONCE = 1_000;
/** In characters of JSON; longer values are not in the index. */
export const MAX_INDEXED_LENGTH = 200;

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

  /** In pages, too: an attribute may be in every account. */
  async drop(tenantId: number, name: string): Promise<void> {
    for (;;) {
      const { rows } = await sql`
        delete from account_value where tenant_id = ${tenantId} and name = ${name} and account_id in (
          select account_id from account_value where tenant_id = ${tenantId} and name = ${name}
          limit ${ACCOUNTS_AT_ONCE}
        ) returning 1
      `.execute(this.#db);
      if (rows.length === 0) return;
    }
  }

  /** The last account of the page; undefined at the end. */
  #buildPage(tenantId: number, name: string, after: string): Promise<string | undefined> {
    return this.#db.transaction().execute(async (db) => {
      const attribute = db
        .updateTable('attribute')
        .where('tenant_id', '=', tenantId)
        .where('name', '=', name);
      // First of all: on SQLite it keeps writers off, so that nothing read below is outdated when it is written.
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
        const fits = value !== undefined && value.length <= MAX_INDEXED_LENGTH;
        return fits ? [{ tenant_id: tenantId, account_id, name, value }] : [];
      });
      if (rows.length > 0) {
        await db
          .insertInto('account_value')
          .values(rows)
          // Written by the trigger since the index is wanted: not older than this.
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      if (accounts.length === ACCOUNTS_AT_ONCE) return accounts.at(-1)?.account_id;
      await attribute.set({ indexed: 2 }).execute();
      return undefined;
    });
  }
}
