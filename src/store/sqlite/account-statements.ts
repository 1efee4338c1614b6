import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { fieldsFrom } from '../schema/tables.js';
import type { StoredAccount } from '../write/apply-group.js';

const CHANGE_SET = [
  'seq',
  'tenant_id',
  'turn',
  'at',
  'request_id',
  'key_id',
  'created',
  'updated',
  'archived',
  'restored',
  'deleted',
  'fields',
  'entries',
  'run_id',
] as const;

const ACCOUNT = [
  'account_id',
  'parent_account_id',
  'name',
  'fields',
  'revision',
  'created_at',
  'updated_at',
  'archived_at',
  'deleted_at',
  'first_change',
  'last_change',
  'last_place',
] as const;

/** A row of `ACCOUNT`, then the rowid. */
export type AccountValues = readonly [
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
  number | null,
  number,
];

export interface SqliteAccount extends StoredAccount {
  readonly rowid: number;
}

/** By index, since this runs for every record: destructuring takes longer. */
export function accountFromValues(values: AccountValues): SqliteAccount {
  const seq = values[10];
  const place = values[11];
  return {
    account: {
      accountId: values[0],
      fields: fieldsFrom(values[3], values[1], values[2]),
      revision: values[4],
      createdAt: values[5],
      updatedAt: values[6],
      archivedAt: values[7],
      deletedAt: values[8],
    },
    firstChange: values[9],
    lastChange: seq === null || place === null ? null : { seq, place },
    rowid: values[12],
  };
}

/** Selects accounts by a JSON array of ids and a tenant. */
export function prepareSelect(db: DatabaseSyncInstance) {
  // Rows as arrays: building an object per row takes longer than reading it.
  const select = db.prepare(`
    select ${ACCOUNT.join(', ')}, a.rowid from json_each(?) as wanted
    cross join account as a on tenant_id = ? and account_id = wanted.value`);
  select.setReturnArrays(true);
  return select;
}

export function prepareStatements(db: DatabaseSyncInstance) {
  const lastSet = db.prepare("select seq from sqlite_sequence where name = 'change_set'");
  lastSet.setReturnArrays(true);
  return {
    select: prepareSelect(db),
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
        parent_account_id = ?, name = ?, created_at = ?, archived_at = ?, deleted_at = ?
      where rowid = ?`),
    erase: db.prepare(`
      insert into erasure (tenant_id, account_id, revision, deleted_at, next_seq) values (?, ?, ?, ?, ?)
      on conflict (tenant_id, account_id) do update
      set revision = excluded.revision, deleted_at = excluded.deleted_at, next_seq = excluded.next_seq, erased_at = null`),
    /** Nothing if the source is not tracked any more. Most accounts have come in this run already, or come once. */
    push: db.prepare(`
      insert into pushed (tenant_id, source, account_id, run_id)
      select tenant_id, name, sent.value, mirror_run from source cross join json_each(?3) as sent
      where tenant_id = ?1 and name = ?2 and mirror_run is not null
      on conflict (tenant_id, source, account_id) do update set run_id = excluded.run_id
      where run_id < excluded.run_id`),
    keyUsed: db.prepare('update api_key set last_used_at = max(coalesce(last_used_at, 0), ?) where id = ?'),
  };
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
