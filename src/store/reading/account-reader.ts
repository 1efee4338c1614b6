import type { Kysely } from 'kysely';
import type { Account, FieldChanges } from '../../domain/account.js';
import type { JsonValue } from '../../domain/json.js';
import { type ChangeKind, readKind } from '../change-kind.js';
import { scan } from '../scan.js';
import { accountFromRow, type Tables } from '../tables.js';
import { readBounded, sizeOf, upTo } from './page-bytes.js';

export interface AccountChange {
  readonly revision: number;
  readonly kind: ChangeKind;
  /** The values are gone with the account that had them. */
  readonly isErased: boolean;
  readonly at: number;
  readonly requestId: string;
  readonly keyId: string;
  readonly changes: FieldChanges;
}

export interface HistoryRange {
  /** Only revisions below. */
  readonly before?: number | undefined;
  readonly limit?: number;
}

/** Single accounts and their history, the same on every database. */
export class AccountReader {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async find(tenantId: number, accountId: string): Promise<Account | undefined> {
    const account = (await this.findAll(tenantId, [accountId])).get(accountId);
    return account?.deletedAt === null ? account : undefined;
  }

  /** In their order; those that were deleted included: their revision counts on. */
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

  /** Exact, and so reads all of them; `Statistics` has a count at hand that is about a second old. */
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

  /** The last changes, oldest first; all of them without a limit. */
  async history(
    tenantId: number,
    accountId: string,
    { before, limit }: HistoryRange = {},
  ): Promise<AccountChange[]> {
    let query = this.#db
      .selectFrom('account_history')
      .where('tenant_id', '=', tenantId)
      .where('account_id', '=', accountId);
    if (before !== undefined) query = query.where('revision', '<', before);
    const newestFirst = query.orderBy('revision', 'desc');
    if (limit === undefined) return (await newestFirst.selectAll().execute()).map(changeFromRow).reverse();
    const { rows } = await readBounded<'changes', SizedHistoryRow>(limit, 'changes', (count, bytes, last) =>
      (last === undefined ? newestFirst : newestFirst.where('revision', '<', last.revision))
        .select(['revision', 'kind', 'at', 'request_id', 'key_id'])
        .select([sizeOf('changes').as('size'), upTo(bytes, 'changes').as('changes')])
        .limit(count)
        .execute(),
    );
    return rows.map(changeFromRow).reverse();
  }

  /** Of the oldest change that is still kept; undefined where there is none. */
  async oldestRevision(tenantId: number, accountId: string): Promise<number | undefined> {
    const oldest = await this.#db
      .selectFrom('account_history')
      .select('revision')
      .where('tenant_id', '=', tenantId)
      .where('account_id', '=', accountId)
      .orderBy('revision')
      .limit(1)
      .executeTakeFirst();
    return oldest?.revision;
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

type HistoryRow = Pick<
  Tables['account_history'],
  'revision' | 'kind' | 'at' | 'request_id' | 'key_id' | 'changes'
>;

type SizedHistoryRow = HistoryRow & { readonly size: number };

export function changeFromRow(row: HistoryRow): AccountChange {
  return {
    revision: row.revision,
    ...readKind(row),
    at: row.at,
    requestId: row.request_id,
    keyId: row.key_id,
    changes: JSON.parse(row.changes),
  };
}
