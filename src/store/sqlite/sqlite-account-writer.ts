import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Account } from '../../domain/account.js';
import type { KeyUse, PushedIds, UpsertCounts, UpsertOutcome, UpsertRequest } from '../requests.js';
import { type ChangeSet, NUMBERS_PER_SET } from '../schema/change-set.js';
import { rowFromAccount } from '../schema/tables.js';
import { accountKey, applyGroup, type ChangedAccount } from '../write/apply-group.js';
import { buildChangeSets, type Erasure } from '../write/build-change-sets.js';
import {
  type AccountValues,
  accountFromValues,
  prepareStatements,
  type SqliteAccount,
  type Value,
} from './account-statements.js';
import { isEnvironmental } from './sqlite-errors.js';

/** Writes accounts synchronously on one connection. It runs in the writer thread, see `SqliteIngest`. */
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
    for (const { tenantId, pushed } of group) if (pushed !== undefined) this.#storePushed(tenantId, pushed);
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
    for (const { seq, header, created, updated, archived, restored, deleted, fields, entries } of sets) {
      const { tenantId, at, requestId, senderId, runId = null } = header;
      values.push(seq, tenantId, this.#commitOrder, at, requestId, senderId);
      values.push(created, updated, archived, restored, deleted, fields, entries, runId);
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
        const indexed = [row.parent_account_id, row.name, row.created_at, row.archived_at, row.deleted_at];
        update.run(row.fields, row.revision, row.updated_at, seq, place, ...indexed, before.rowid);
      }
    }
    updateInPlace.run(inPlace);
    insertAccounts.run(inserted);
  }

  #storePushed(tenantId: number, { source, accountIds }: PushedIds): void {
    this.#statements.push.run(tenantId, source, JSON.stringify(accountIds));
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
    row.archived_at,
    row.deleted_at,
    firstChange,
    lastChange?.seq ?? null,
    lastChange?.place ?? null,
  ];
}

/**
 * Whether no indexed column changes. SQLite rewrites an index entry for every column that a statement sets, even to the
 * same value, so these writes use a statement that sets fewer columns.
 */
function staysInPlace(before: Account, after: Account): boolean {
  return (
    before.fields.name === after.fields.name &&
    before.fields.parent_account_id === after.fields.parent_account_id &&
    before.archivedAt === after.archivedAt &&
    before.deletedAt === after.deletedAt &&
    before.createdAt === after.createdAt
  );
}
