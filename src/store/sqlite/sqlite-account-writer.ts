import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { Account } from '../../domain/account.js';
import { ERASED_CHANGES, NOT_YET_ERASED, USUAL_KIND } from '../changes/change-kind.js';
import type { KeyUse, UpsertCounts, UpsertOutcome, UpsertRequest } from '../requests.js';
import { type AccountRow, accountFromRow, rowFromAccount } from '../schema/tables.js';
import { applyGroup } from '../write/apply-group.js';
import { isEnvironmental } from './sqlite-errors.js';

/** Writes accounts synchronously on one connection. It runs in the writer thread, see `WriterThread`. */
export class SqliteAccountWriter {
  readonly #db: DatabaseSyncInstance;
  readonly #statements: ReturnType<typeof prepareStatements>;
  /**
   * The `commitOrder` of all new changes. SQLite has one writer at a time, so `seq` alone gives their order. A copy or
   * restore sets this number, so that new changes come after those of the original database.
   */
  readonly #commitOrder: number;

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
    this.#statements = prepareStatements(db);
    const configuration: { feed_turn: number } = db.prepare('select feed_turn from configuration').get();
    this.#commitOrder = configuration.feed_turn;
  }

  /** Writes the group in one transaction. If one request makes it fail, each request gets its own transaction. */
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
    const { select, storeAccounts, storeInPlace, appendHistory, eraseHistory } = this.#statements;
    const load = (tenantId: number, accountId: string): Account | undefined => {
      const values: AccountValues | undefined = select.get(tenantId, accountId);
      return values && accountFromRow(rowFromValues(values));
    };
    const { counts, writes, history } = applyGroup(group, load);
    const whole: Value[] = [];
    const inPlace: Value[] = [];
    for (const { tenantId, account, before } of writes) {
      const row = rowFromAccount(account);
      const accounts = before !== undefined && staysInPlace(before, account) ? inPlace : whole;
      accounts.push(tenantId, row.account_id, row.parent_account_id, row.name, row.fields, row.revision);
      accounts.push(row.created_at, row.updated_at, row.deleted_at);
    }
    storeAccounts.run(whole);
    storeInPlace.run(inPlace);
    const changes: Value[] = [];
    for (const entry of history) {
      const { tenantId, at, requestId, keyId } = entry.request;
      changes.push(tenantId, entry.accountId, entry.revision, at, requestId, keyId);
      changes.push(JSON.stringify(entry.changes), entry.kind, this.#commitOrder);
    }
    appendHistory.run(changes);
    for (const { kind, request, accountId, revision } of history) {
      if (kind === 'deleted') eraseHistory.run(request.tenantId, accountId, revision);
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
      // Some failures, such as a full disk, have already rolled back.
      if (this.#db.isTransaction) this.#db.exec('rollback');
      throw error;
    }
  }
}

const ACCOUNT = [
  'account_id',
  'parent_account_id',
  'name',
  'fields',
  'revision',
  'created_at',
  'updated_at',
  'deleted_at',
] as const;

const HISTORY = [
  'tenant_id',
  'account_id',
  'revision',
  'at',
  'request_id',
  'key_id',
  'changes',
  'kind',
  'turn',
] as const;

type AccountValues = readonly [
  string,
  string | null,
  string | null,
  string,
  number,
  number,
  number,
  number | null,
];

function rowFromValues(values: AccountValues): AccountRow {
  const [account_id, parent_account_id, name, fields, revision, created_at, updated_at, deleted_at] = values;
  return { account_id, parent_account_id, name, fields, revision, created_at, updated_at, deleted_at };
}

function prepareStatements(db: DatabaseSyncInstance) {
  const select = db.prepare(
    `select ${ACCOUNT.join(', ')} from account where tenant_id = ? and account_id = ?`,
  );
  // Rows as arrays: building an object per row takes longer than reading it.
  select.setReturnArrays(true);
  return {
    select,
    storeAccounts: new MultiRowInsert(
      db,
      'account',
      ['tenant_id', ...ACCOUNT],
      `on conflict (tenant_id, account_id) do update set parent_account_id = excluded.parent_account_id,
         name = excluded.name, fields = excluded.fields, revision = excluded.revision,
         created_at = excluded.created_at, updated_at = excluded.updated_at, deleted_at = excluded.deleted_at`,
    ),
    storeInPlace: new MultiRowInsert(
      db,
      'account',
      ['tenant_id', ...ACCOUNT],
      `on conflict (tenant_id, account_id) do update set fields = excluded.fields,
         revision = excluded.revision, updated_at = excluded.updated_at`,
    ),
    appendHistory: new MultiRowInsert(db, 'account_history', HISTORY),
    eraseHistory: db.prepare(`
      update account_history set kind = 'erased ' || ${USUAL_KIND}, changes = ${ERASED_CHANGES.sqlite}
      where tenant_id = ? and account_id = ? and revision < ? and ${NOT_YET_ERASED}`),
    keyUsed: db.prepare('update api_key set last_used_at = max(coalesce(last_used_at, 0), ?) where id = ?'),
  };
}

/**
 * Whether no indexed column changes. SQLite rewrites an index entry for every column that a statement sets, even to the
 * same value, so these writes use a statement that sets fewer columns.
 */
function staysInPlace(before: Account, after: Account): boolean {
  return (
    before.fields.name === after.fields.name &&
    before.fields.parent_account_id === after.fields.parent_account_id &&
    before.deletedAt === after.deletedAt &&
    before.createdAt === after.createdAt
  );
}

/** More rows per statement gain little, and a group seldom fills them. */
const ROWS = 16;

export type Value = string | number | null;

/** An insert with many rows per statement: a call of the driver takes longer than storing a row. */
class MultiRowInsert {
  readonly #width: number;
  readonly #many: StatementSyncInstance;
  readonly #one: StatementSyncInstance;

  constructor(db: DatabaseSyncInstance, table: string, columns: readonly string[], onConflict = '') {
    this.#width = columns.length;
    const row = `(${columns.map(() => '?').join(', ')})`;
    const into = `insert into ${table} (${columns.join(', ')}) values`;
    const prepare = (rows: number) =>
      db.prepare(`${into} ${Array.from({ length: rows }, () => row).join(', ')} ${onConflict}`);
    this.#many = prepare(ROWS);
    this.#one = prepare(1);
  }

  /** `values` are those of all rows, one row after another. */
  run(values: readonly Value[]): void {
    let at = 0;
    for (const [statement, step] of [
      [this.#many, ROWS * this.#width],
      [this.#one, this.#width],
    ] as const) {
      for (; at + step <= values.length; at += step) statement.run(...values.slice(at, at + step));
    }
  }
}
