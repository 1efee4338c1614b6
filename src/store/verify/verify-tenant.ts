import type { Kysely } from 'kysely';
import { canonicalIdentifier } from '../../domain/identifier.js';
import { isJsonObject, type JsonObject } from '../../domain/json.js';
import { fitsIndex } from '../chores/attribute-index.js';
import type { TableSum } from '../copy/table-sum.js';
import { type KeyValue, keyOf, type Row, type ScanOptions, scan } from '../scan.js';
import { accountFromRow, type Tables } from '../tables.js';
import { HistoryReplay } from './history-replay.js';
import { type Check, Problems } from './problems.js';
import { TenantCounts } from './tenant-counts.js';

export interface RowSums {
  readonly account: TableSum;
  readonly account_history: TableSum;
}

interface Page {
  readonly accounts: readonly Row<'account'>[];
  readonly range: ScanOptions;
}

/**
 * Looks at all that is stored of one tenant's accounts. Each page is read in one snapshot, so that servers may write
 * meanwhile, and none lasts so long that the log of the database grows.
 */
export class TenantVerification {
  readonly problems = new Problems();
  readonly #db: Kysely<Tables>;
  readonly #tenantId: number;
  readonly #sums: RowSums;
  readonly #report: () => void;
  #name = '';

  constructor(db: Kysely<Tables>, tenantId: number, sums: RowSums, report: () => void) {
    this.#db = db;
    this.#tenantId = tenantId;
    this.#sums = sums;
    this.#report = report;
  }

  /** False where the tenant was removed meanwhile: then what was found means nothing. */
  async run(): Promise<boolean> {
    const tenantId = this.#tenantId;
    const name = await this.#tenantName();
    this.#name = name ?? String(tenantId);
    const counts = await inSnapshot(this.#db, (snapshot) => TenantCounts.read(snapshot, tenantId));
    let after: KeyValue[] | undefined;
    do {
      after = await inSnapshot(this.#db, (snapshot) => this.#verifyPage(snapshot, counts, after));
    } while (after !== undefined);
    this.problems.count('counts');
    for (const problem of counts.problems()) this.#add('counts', null, problem);
    if (name === undefined) this.#add('accounts', null, 'there is no such tenant, and rows of its own');
    return name === (await this.#tenantName());
  }

  async #tenantName(): Promise<string | undefined> {
    const query = this.#db.selectFrom('tenant').select('name').where('id', '=', this.#tenantId);
    return (await query.executeTakeFirst())?.name;
  }

  /** The key of the last account of the page; undefined at the end. */
  async #verifyPage(
    snapshot: Kysely<Tables>,
    counts: TenantCounts,
    after: KeyValue[] | undefined,
  ): Promise<KeyValue[] | undefined> {
    const tenantId = this.#tenantId;
    const { value: accounts = [] } = await scan(snapshot, 'account', { tenantId, after }).next();
    const last = accounts.at(-1);
    const until = last && keyOf('account', last);
    const page = { accounts, range: { tenantId, after, until } };
    const fieldsOf = this.#verifyAccounts(accounts, counts);
    await this.#verifyHistories(snapshot, page, fieldsOf, counts);
    await this.#verifyValues(snapshot, page, fieldsOf);
    return until;
  }

  /** The fields of each, name and parent included. */
  #verifyAccounts(accounts: readonly Row<'account'>[], counts: TenantCounts): Map<string, JsonObject> {
    const fieldsOf = new Map<string, JsonObject>();
    for (const row of accounts) {
      const { account_id: id } = row;
      this.problems.count('accounts');
      this.#sums.account.add(row);
      if (fieldsOf.has(id)) this.#add('accounts', id, 'there are two of it');
      const canonical = canonicalIdentifier(id);
      if (canonical !== id) this.#add('accounts', id, `its id should be ${JSON.stringify(canonical)}`);
      const fields = readFields(row);
      if (fields === undefined) this.#add('accounts', id, 'its fields cannot be read');
      fieldsOf.set(id, fields ?? {});
      const names = Object.keys(fields ?? {});
      if (row.deleted_at === null) counts.addAccount(names);
      else if (names.length > 0) this.#add('accounts', id, `it is deleted, and has ${names.join(', ')}`);
    }
    return fieldsOf;
  }

  async #verifyHistories(
    snapshot: Kysely<Tables>,
    { accounts, range }: Page,
    fieldsOf: ReadonlyMap<string, JsonObject>,
    counts: TenantCounts,
  ): Promise<void> {
    const left = new Map(accounts.map((row) => [row.account_id, row]));
    let current: { readonly id: string; readonly replay: HistoryReplay } | undefined;
    const finish = (id: string, replay: HistoryReplay) => {
      const row = left.get(id);
      left.delete(id);
      const problems =
        row === undefined ? ['its history is there without it'] : replay.finish(row, fieldsOf.get(id) ?? {});
      for (const problem of problems) this.#add('history', id, problem);
    };
    for await (const rows of scan(snapshot, 'account_history', range)) {
      for (const row of rows) {
        this.problems.count('history');
        this.#sums.account_history.add(row);
        if (current?.id !== row.account_id) {
          if (current !== undefined) finish(current.id, current.replay);
          current = { id: row.account_id, replay: new HistoryReplay() };
        }
        const change = current.replay.add(row);
        if (change !== undefined) counts.addChange(row, change);
      }
      this.#report();
    }
    if (current !== undefined) finish(current.id, current.replay);
    for (const id of left.keys()) finish(id, new HistoryReplay());
  }

  /** What is indexed must be found under its value, and nothing else. */
  async #verifyValues(
    snapshot: Kysely<Tables>,
    { range }: Page,
    fieldsOf: ReadonlyMap<string, JsonObject>,
  ): Promise<void> {
    // Of an index that is being built or dropped, nobody expects it.
    const indexed = await snapshot
      .selectFrom('attribute')
      .select('name')
      .where('tenant_id', '=', this.#tenantId)
      .where('indexed', '=', 2)
      .execute();
    const expected = new Map<string, string>();
    for (const [id, fields] of fieldsOf) {
      for (const { name } of indexed) {
        const value = Object.hasOwn(fields, name) ? JSON.stringify(fields[name]) : undefined;
        if (value !== undefined && fitsIndex(value)) expected.set(JSON.stringify([id, name]), value);
      }
    }
    const names = new Set(indexed.map(({ name }) => name));
    for await (const rows of scan(snapshot, 'account_value', range)) {
      for (const { account_id: id, name, value } of rows) {
        if (!fieldsOf.has(id)) this.#add('indexed values', id, `${name} is indexed without it`);
        else if (names.has(name)) {
          this.problems.count('indexed values');
          const key = JSON.stringify([id, name]);
          if (expected.get(key) !== value)
            this.#add('indexed values', id, `${name} is indexed by another value`);
          expected.delete(key);
        }
      }
    }
    for (const key of expected.keys()) {
      const [id, name] = JSON.parse(key) as [string, string];
      this.#add('indexed values', id, `${name} is not indexed`);
    }
  }

  #add(check: Check, account: string | null, problem: string): void {
    this.problems.add({ check, tenant: this.#name, account, problem });
  }
}

/** On SQLite every transaction is such a one. */
function inSnapshot<T>(db: Kysely<Tables>, work: (snapshot: Kysely<Tables>) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').execute(work);
}

function readFields(row: Row<'account'>): JsonObject | undefined {
  try {
    return isJsonObject(JSON.parse(row.fields)) ? accountFromRow(row).fields : undefined;
  } catch {
    return undefined;
  }
}
