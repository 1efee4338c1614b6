import type { Kysely } from 'kysely';
import type { Account } from '../domain/account.js';
import type { JsonValue } from '../domain/json.js';
import { scan } from './scan.js';
import type { AccountChange } from './store.js';
import { accountFromRow, type Tables } from './tables.js';

/** Reads of accounts, the same on every database. */
export class AccountReader {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async find(tenantId: number, accountId: string): Promise<Account | undefined> {
    const query = this.#db.selectFrom('account').selectAll().where('tenant_id', '=', tenantId);
    const row = await query.where('account_id', '=', accountId).executeTakeFirst();
    return row && accountFromRow(row);
  }

  async history(tenantId: number, accountId: string): Promise<AccountChange[]> {
    const query = this.#db.selectFrom('account_history').selectAll().where('tenant_id', '=', tenantId);
    const rows = await query.where('account_id', '=', accountId).orderBy('revision').execute();
    return rows.map((row) => ({
      revision: row.revision,
      at: row.at,
      requestId: row.request_id,
      keyId: row.key_id,
      changes: JSON.parse(row.changes),
    }));
  }

  async *fieldValues(tenantId: number, field: string): AsyncIterable<JsonValue> {
    for await (const page of scan(this.#db, 'account', { tenantId })) {
      for (const row of page) {
        const value: JsonValue | undefined = JSON.parse(row.fields)[field];
        if (value !== undefined) yield value;
      }
    }
  }
}
