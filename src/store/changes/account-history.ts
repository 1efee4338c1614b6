import type { Kysely } from 'kysely';
import type { FieldChanges } from '../../domain/account.js';
import { readBounded, sizeOf, upTo } from '../bounded-read.js';
import type { Tables } from '../schema/tables.js';
import { type ChangeKind, readKind } from './change-kind.js';

export interface AccountChange {
  readonly revision: number;
  readonly kind: ChangeKind;
  /** The values were erased when the account was deleted. */
  readonly isErased: boolean;
  readonly at: number;
  readonly requestId: string;
  readonly keyId: string;
  readonly changes: FieldChanges;
}

export interface HistoryRange {
  /** Only revisions below this one. */
  readonly before?: number | undefined;
  readonly limit?: number;
}

/** The history of single accounts. */
export class AccountHistory {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** The newest changes, oldest first; all changes if there is no limit. */
  async read(
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

  /** The revision of the oldest change that is still stored; undefined if none is. */
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
