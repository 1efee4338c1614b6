import type { Kysely } from 'kysely';
import type { Account } from '../../domain/account.js';
import type { JsonValue } from '../../domain/json.js';
import { scan } from '../schema/scan.js';
import { accountFromRow, type Tables } from '../schema/tables.js';

/** Reads single accounts. */
export class AccountReader {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async find(tenantId: number, accountId: string): Promise<Account | undefined> {
    const account = (await this.findAll(tenantId, [accountId])).get(accountId);
    return account?.deletedAt === null ? account : undefined;
  }

  /**
   * In the order of the ids. Includes deleted accounts, since an account that is created again continues its
   * revision.
   */
  async findAll(tenantId: number, accountIds: readonly string[]): Promise<Map<string, Account>> {
    if (accountIds.length === 0) return new Map();
    const query = this.#db.selectFrom('account').selectAll().where('tenant_id', '=', tenantId);
    const rows = await query.where('account_id', 'in', accountIds).execute();
    const byId = new Map(rows.map((row) => [row.account_id, row]));
    return new Map(
      accountIds.flatMap((id) => {
        const row = byId.get(id);
        return row === undefined ? [] : [[id, accountFromRow(row)]];
      }),
    );
  }

  /** Exact, and therefore reads all accounts of the tenant. `Statistics` has a count that is about a second old. */
  async count(tenantId: number): Promise<number> {
    const query = this.#db
      .selectFrom('account')
      .where('tenant_id', '=', tenantId)
      .where('deleted_at', 'is', null);
    const { count } = await query
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
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
