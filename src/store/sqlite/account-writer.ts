import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Account } from '../../domain/account.js';
import { applyGroup, type HistoryEntry } from '../apply-group.js';
import type { UpsertOutcome } from '../group-commit.js';
import type { KeyUse, UpsertCounts, UpsertRequest } from '../store.js';
import { type AccountRow, accountFromRow, rowFromAccount } from '../tables.js';
import { MultiRowInsert } from './multi-row-insert.js';

/** Busy, no memory, read-only, input/output, corrupt, full, cannot open, no database: nobody's request is at fault. */
const ENVIRONMENT_ERRORS = new Set([5, 7, 8, 10, 11, 13, 14, 26]);

/** Writes on one connection, synchronously: it lives in a thread of its own. */
export class AccountWriter {
  readonly #db: DatabaseSyncInstance;
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
    this.#statements = prepareStatements(db);
  }

  /** One transaction for all; where that fails through one request, each on its own. */
  write(group: readonly UpsertRequest[]): UpsertOutcome[] {
    try {
      return this.#transaction(() => this.#apply(group)).map((counts) => ({ counts }));
    } catch (error) {
      if (group.length === 1 || isEnvironmental(error)) return group.map(() => ({ error: error as Error }));
      return group.flatMap((request) => this.write([request]));
    }
  }

  recordKeyUse(uses: readonly KeyUse[]): void {
    this.#transaction(() => {
      for (const { keyId, at } of uses) this.#statements.keyUsed.run(at, keyId);
    });
  }

  #apply(group: readonly UpsertRequest[]): readonly UpsertCounts[] {
    const { select, storeAccounts, appendHistory } = this.#statements;
    const load = (tenantId: number, accountId: string): Account | undefined => {
      const values: AccountValues | undefined = select.get(tenantId, accountId);
      return values && accountFromRow(rowFromValues(values));
    };
    const { counts, writes, history } = applyGroup(group, load);
    storeAccounts.run(writes.map(({ tenantId, account }) => [tenantId, ...valuesOf(rowFromAccount(account))]));
    appendHistory.run(history.map(historyValues));
    return counts;
  }

  #transaction<T>(work: () => T): T {
    this.#db.exec('begin immediate');
    try {
      const result = work();
      this.#db.exec('commit');
      return result;
    } catch (error) {
      // Some failures, a full disk among them, have already rolled back.
      if (this.#db.isTransaction) this.#db.exec('rollback');
      throw error;
    }
  }
}

const ACCOUNT = 'account_id, parent_account_id, name, fields, revision, created_at, updated_at';

type AccountValues = readonly [string, string | null, string | null, string, number, number, number];

function rowFromValues(values: AccountValues): AccountRow {
  const [account_id, parent_account_id, name, fields, revision, created_at, updated_at] = values;
  return { account_id, parent_account_id, name, fields, revision, created_at, updated_at };
}

function valuesOf(row: AccountRow): AccountValues {
  const { account_id, parent_account_id, name, fields, revision, created_at, updated_at } = row;
  return [account_id, parent_account_id, name, fields, revision, created_at, updated_at];
}

function historyValues({ request, accountId, revision, changes }: HistoryEntry) {
  const { tenantId, at, requestId, keyId } = request;
  return [tenantId, accountId, revision, at, requestId, keyId, JSON.stringify(changes)];
}

function prepareStatements(db: DatabaseSyncInstance) {
  const select = db.prepare(`select ${ACCOUNT} from account where tenant_id = ? and account_id = ?`);
  // Naming the values of each row would take longer than reading them.
  select.setReturnArrays(true);
  return {
    select,
    storeAccounts: new MultiRowInsert(
      db,
      `account (tenant_id, ${ACCOUNT})`,
      `on conflict (tenant_id, account_id) do update set parent_account_id = excluded.parent_account_id,
         name = excluded.name, fields = excluded.fields, revision = excluded.revision,
         updated_at = excluded.updated_at`,
    ),
    appendHistory: new MultiRowInsert(
      db,
      'account_history (tenant_id, account_id, revision, at, request_id, key_id, changes)',
    ),
    keyUsed: db.prepare('update api_key set last_used_at = max(coalesce(last_used_at, 0), ?) where id = ?'),
  };
}

function isEnvironmental(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  // The low byte of an extended code is the primary one.
  return errcode !== undefined && ENVIRONMENT_ERRORS.has(errcode & 0xff);
}
