import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Account } from '../../domain/account.js';
import { applyGroup } from '../apply-group.js';
import type { UpsertOutcome } from '../group-commit.js';
import type { KeyUse, UpsertCounts, UpsertRequest } from '../store.js';
import { type AccountRow, accountFromRow, rowFromAccount } from '../tables.js';

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
    const { select, insert, update, appendHistory } = this.#statements;
    const load = (tenantId: number, accountId: string): Account | undefined => {
      const row: AccountRow | undefined = select.get(tenantId, accountId);
      return row && accountFromRow(row);
    };
    const { counts, writes, history } = applyGroup(group, load);
    for (const { tenantId, account, isNew } of writes) {
      const row = rowFromAccount(account);
      const values = [row.parent_account_id, row.name, row.fields, row.revision, row.updated_at];
      if (isNew) insert.run(...values, row.created_at, tenantId, row.account_id);
      else update.run(...values, tenantId, row.account_id);
    }
    for (const { request, accountId, revision, changes } of history) {
      const { tenantId, at, requestId, keyId } = request;
      appendHistory.run(tenantId, accountId, revision, at, requestId, keyId, JSON.stringify(changes));
    }
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

function prepareStatements(db: DatabaseSyncInstance) {
  return {
    select: db.prepare('select * from account where tenant_id = ? and account_id = ?'),
    insert: db.prepare(
      `insert into account (parent_account_id, name, fields, revision, updated_at, created_at, tenant_id, account_id)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    update: db.prepare(
      `update account set parent_account_id = ?, name = ?, fields = ?, revision = ?, updated_at = ?
       where tenant_id = ? and account_id = ?`,
    ),
    appendHistory: db.prepare(
      `insert into account_history (tenant_id, account_id, revision, at, request_id, key_id, changes)
       values (?, ?, ?, ?, ?, ?, ?)`,
    ),
    keyUsed: db.prepare('update api_key set last_used_at = max(coalesce(last_used_at, 0), ?) where id = ?'),
  };
}

function isEnvironmental(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  // The low byte of an extended code is the primary one.
  return errcode !== undefined && ENVIRONMENT_ERRORS.has(errcode & 0xff);
}
