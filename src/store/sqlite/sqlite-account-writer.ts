import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { Account } from '../../domain/account.js';
import type { KeyUse, UpsertCounts, UpsertOutcome, UpsertRequest } from '../requests.js';
import { type ChangeSet, NUMBERS_PER_SET } from '../schema/change-set.js';
import { accountFromRow, rowFromAccount } from '../schema/tables.js';
import { accountKey, applyGroup, type ChangedAccount, type StoredAccount } from '../write/apply-group.js';
import { buildChangeSets, type Erasure } from '../write/build-change-sets.js';
import { isEnvironmental } from './sqlite-errors.js';

/** Writes accounts synchronously on one connection. It runs in the writer thread, see `WriterThread`. */
export class SqliteAccountWriter {
  readonly #db: DatabaseSyncInstance;
  readonly #statements: ReturnType<typeof prepareStatements>;
  /**
   * The `commitOrder` of all new change sets. SQLite has one writer at a time, so `seq` alone gives their order. A copy
   * or restore sets this number, so that new changes come after those of the original database.
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
    const stored = this.#load(group);
    const { counts, accounts, history } = applyGroup(group, (tenantId, accountId) =>
      stored.get(accountKey(tenantId, accountId)),
    );
    if (accounts.length === 0) return counts;
    const { sets, erasures } = buildChangeSets(history, this.#setNumbers());
    this.#storeSets(sets);
    this.#storeAccounts(accounts);
    this.#storeErasures(erasures);
    return counts;
  }

  /** The stored accounts of a group, by `accountKey`. */
  #load(group: readonly UpsertRequest[]): Map<string, SqliteAccount> {
    const idsOf = new Map<number, Set<string>>();
    for (const { tenantId, patches } of group) {
      const ids = idsOf.get(tenantId) ?? new Set();
      idsOf.set(tenantId, ids);
      for (const { accountId } of patches) ids.add(accountId);
    }
    const stored = new Map<string, SqliteAccount>();
    for (const [tenantId, ids] of idsOf) {
      const rows: AccountValues[] = this.#statements.select.all(JSON.stringify([...ids]), tenantId);
      for (const values of rows) stored.set(accountKey(tenantId, values[0]), accountFromValues(values));
    }
    return stored;
  }

  /** Returns the numbers after the highest one that the table has had, also of sets that were removed. */
  #setNumbers(): () => number {
    const [last]: readonly [number] = this.#statements.lastSet.get() ?? [0];
    let seq = last - (last % NUMBERS_PER_SET);
    return () => {
      seq += NUMBERS_PER_SET;
      return seq;
    };
  }

  #storeSets(sets: readonly ChangeSet[]): void {
    const values: Value[] = [];
    for (const { seq, header, created, updated, deleted, fields, entries } of sets) {
      const { tenantId, at, requestId, keyId } = header;
      values.push(seq, tenantId, this.#commitOrder, at, requestId, keyId);
      values.push(created, updated, deleted, fields, entries);
    }
    this.#statements.insertSets.run(values);
  }

  #storeAccounts(accounts: readonly ChangedAccount<SqliteAccount>[]): void {
    const { insertAccounts, update, updateInPlace } = this.#statements;
    const inserted: Value[] = [];
    const updated: ExistingAccount[] = [];
    for (const changed of accounts) {
      if (isExisting(changed)) updated.push(changed);
      else inserted.push(...insertedValues(changed));
    }
    // In the order of the pages on disk, so that each page is visited once.
    updated.sort((a, b) => a.before.rowid - b.before.rowid);
    const inPlace: Value[] = [];
    for (const { account, before, lastChange } of updated) {
      const row = rowFromAccount(account);
      const { seq = null, place = null } = lastChange ?? {};
      if (staysInPlace(before.account, account)) {
        inPlace.push(before.rowid, row.fields, row.revision, row.updated_at, seq, place);
      } else {
        const indexed = [row.parent_account_id, row.name, row.created_at, row.deleted_at];
        update.run(row.fields, row.revision, row.updated_at, seq, place, ...indexed, before.rowid);
      }
    }
    updateInPlace.run(inPlace);
    insertAccounts.run(inserted);
  }

  #storeErasures(erasures: readonly Erasure[]): void {
    for (const { tenantId, accountId, revision, deletedAt, next } of erasures) {
      this.#statements.erase.run(tenantId, accountId, revision, deletedAt, next.seq);
    }
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

const CHANGE_SET = [
  'seq',
  'tenant_id',
  'turn',
  'at',
  'request_id',
  'key_id',
  'created',
  'updated',
  'deleted',
  'fields',
  'entries',
] as const;

const ACCOUNT = [
  'account_id',
  'parent_account_id',
  'name',
  'fields',
  'revision',
  'created_at',
  'updated_at',
  'deleted_at',
  'first_change',
  'last_change',
  'last_place',
] as const;

/** A row of `ACCOUNT`, then the rowid. */
type AccountValues = readonly [
  string,
  string | null,
  string | null,
  string,
  number,
  number,
  number,
  number | null,
  number | null,
  number | null,
  number | null,
  number,
];

interface SqliteAccount extends StoredAccount {
  readonly rowid: number;
}

function accountFromValues(values: AccountValues): SqliteAccount {
  const [account_id, parent_account_id, name, fields, revision, created_at, updated_at, deleted_at] = values;
  const [, , , , , , , , firstChange, seq, place, rowid] = values;
  return {
    account: accountFromRow({
      account_id,
      parent_account_id,
      name,
      fields,
      revision,
      created_at,
      updated_at,
      deleted_at,
    }),
    firstChange,
    lastChange: seq === null || place === null ? null : { seq, place },
    rowid,
  };
}

type ExistingAccount = ChangedAccount<SqliteAccount> & { readonly before: SqliteAccount };

function isExisting(changed: ChangedAccount<SqliteAccount>): changed is ExistingAccount {
  return changed.before !== undefined;
}

/** In the order of `ACCOUNT`. */
function insertedValues({ tenantId, account, firstChange, lastChange }: ChangedAccount): Value[] {
  const row = rowFromAccount(account);
  return [
    tenantId,
    row.account_id,
    row.parent_account_id,
    row.name,
    row.fields,
    row.revision,
    row.created_at,
    row.updated_at,
    row.deleted_at,
    firstChange,
    lastChange?.seq ?? null,
    lastChange?.place ?? null,
  ];
}

function prepareStatements(db: DatabaseSyncInstance) {
  // Rows as arrays: building an object per row takes longer than reading it.
  const select = db.prepare(`
    select ${ACCOUNT.join(', ')}, a.rowid from json_each(?) as wanted
    cross join account as a on tenant_id = ? and account_id = wanted.value`);
  select.setReturnArrays(true);
  const lastSet = db.prepare("select seq from sqlite_sequence where name = 'change_set'");
  lastSet.setReturnArrays(true);
  return {
    select,
    lastSet,
    insertSets: insertRows(db, 'change_set', CHANGE_SET),
    insertAccounts: insertRows(db, 'account', ['tenant_id', ...ACCOUNT]),
    updateInPlace: new MultiRowStatement(
      db,
      6,
      (rows) => `
        update account set fields = v.column2, revision = v.column3, updated_at = v.column4, last_change = v.column5,
          last_place = v.column6
        from (values ${rows}) as v where account.rowid = v.column1`,
    ),
    update: db.prepare(`
      update account set fields = ?, revision = ?, updated_at = ?, last_change = ?, last_place = ?,
        parent_account_id = ?, name = ?, created_at = ?, deleted_at = ?
      where rowid = ?`),
    erase: db.prepare(`
      insert into erasure (tenant_id, account_id, revision, deleted_at, next_seq) values (?, ?, ?, ?, ?)
      on conflict (tenant_id, account_id) do update
      set revision = excluded.revision, deleted_at = excluded.deleted_at, next_seq = excluded.next_seq, erased_at = null`),
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

export type Value = string | number | null | Uint8Array;

/** A statement for many rows: a call of the driver takes longer than storing a row. */
class MultiRowStatement {
  readonly #width: number;
  readonly #many: StatementSyncInstance;
  readonly #one: StatementSyncInstance;

  /** `text` returns the statement for some rows, given as `(?, ?), (?, ?)`. */
  constructor(db: DatabaseSyncInstance, width: number, text: (rows: string) => string) {
    this.#width = width;
    const row = `(${Array.from({ length: width }, () => '?').join(', ')})`;
    this.#many = db.prepare(text(Array.from({ length: ROWS }, () => row).join(', ')));
    this.#one = db.prepare(text(row));
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

function insertRows(db: DatabaseSyncInstance, table: string, columns: readonly string[]): MultiRowStatement {
  return new MultiRowStatement(
    db,
    columns.length,
    (rows) => `insert into ${table} (${columns.join(', ')}) values ${rows}`,
  );
}
