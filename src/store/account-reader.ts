import { type Kysely, sql } from 'kysely';
import type { Account } from '../domain/account.js';
import type { JsonValue } from '../domain/json.js';
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
    const value = sql<string | null>`fields -> ${field}`;
    const rows = this.#db
      .selectFrom('account')
      .select(value.as('value'))
      .where('tenant_id', '=', tenantId)
      .where(value, 'is not', null)
      .stream();
    for await (const row of rows) {
      if (row.value !== null) yield JSON.parse(row.value);
    }
  }
}
