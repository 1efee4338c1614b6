import { createHash } from 'node:crypto';
import { type Insertable, type Kysely, sql } from 'kysely';
import { StoreUnusable } from '../errors.js';
import { lastKey, type Row, scan, type TableName } from '../schema/scan.js';
import type { Tables } from '../schema/tables.js';
import { changeConfiguration } from '../tenants/configuration-changes.js';

/** A database in which nothing changes for as long as it is read here. */
export interface CopySource {
  readonly location: string;
  readonly db: Kysely<Tables>;
  close(): Promise<void>;
}

/** A database that nobody serves from for as long as it is open here. */
export interface CopyEndpoint extends CopySource {
  /** After rows came with numbers and turns of their own: the next come behind them, and where they would have come there. */
  continueNumbers(from: CopySource): Promise<void>;
}

export interface CopyStep {
  readonly phase: 'copy' | 'verify';
  readonly table: TableName;
  readonly done: number;
  readonly total: number;
}

/** Keys come last: a copy that was broken off lets nobody in. Sessions stay behind: who had one signs in again. */
const DATA: readonly TableName[] = [
  'tenant',
  'tenant_host',
  'attribute',
  'blocked_id',
  'account',
  'account_history',
  'tally',
  'period_count',
  'field_use',
  'rejection',
  'audit',
];
export const COPIED_TABLES: readonly TableName[] = [...DATA, 'api_key'];

/**
 * Copies what is not there yet, in the order of keys, so that a copy that was broken off goes on where it ended; then
 * reads both sides again and compares them. A target that has keys is complete, and only compared.
 */
export async function copyDatabase(
  from: CopySource,
  to: CopyEndpoint,
  report: (step: CopyStep) => void,
): Promise<TableSummary[]> {
  await refuseOtherTenants(from, to);
  if ((await lastKey(to.db, 'api_key')) === undefined) {
    for (const table of DATA) await copyTable(from.db, to.db, table, report);
    await to.continueNumbers(from);
    await changeConfiguration(to.db, (transaction) => copyTable(from.db, transaction, 'api_key', report));
  }
  const copied: TableSummary[] = [];
  for (const table of COPIED_TABLES) copied.push(await compareTable(from, to, table, report));
  return copied;
}

async function refuseOtherTenants(from: CopySource, to: CopyEndpoint): Promise<void> {
  const ours = new Set((await rowsOf(from.db, 'tenant')).map(textOf));
  const others = (await rowsOf(to.db, 'tenant')).filter((tenant) => !ours.has(textOf(tenant)));
  if (others.length === 0) return;
  const names = others.map(({ name }) => name).join(', ');
  throw new StoreUnusable(
    `${to.location} already holds tenants of its own: ${names}. Nothing was copied. Copy into an empty database.`,
  );
}

async function copyTable(
  from: Kysely<Tables>,
  to: Kysely<Tables>,
  table: TableName,
  report: (step: CopyStep) => void,
): Promise<void> {
  const total = await count(from, table);
  let done = await count(to, table);
  report({ phase: 'copy', table, done, total });
  for await (const rows of scan(from, table, { after: await lastKey(to, table) })) {
    await to
      .insertInto(table)
      .values(rows as Insertable<Tables[TableName]>[])
      .execute();
    done += rows.length;
    report({ phase: 'copy', table, done, total });
  }
}

async function compareTable(
  from: CopySource,
  to: CopyEndpoint,
  table: TableName,
  report: (step: CopyStep) => void,
): Promise<TableSummary> {
  const total = await count(from.db, table);
  const reportRows = (done: number) => report({ phase: 'verify', table, done, total });
  reportRows(0);
  const ours = await summarise(from.db, table, reportRows);
  const theirs = await summarise(to.db, table, () => {});
  // Counted by the databases themselves, since both sums leave out what a scan would.
  const copied = await count(to.db, table);
  if (ours.checksum === theirs.checksum && copied === total) return ours;
  throw new StoreUnusable(
    `The two differ in ${table}: ${total} rows in ${from.location}, ${copied} in ${to.location}. ` +
      'One of them was changed since. Empty the target and copy again.',
  );
}

export async function summarise(
  db: Kysely<Tables>,
  table: TableName,
  report: (done: number) => void,
): Promise<TableSummary> {
  const sum = new TableSum(table);
  for await (const page of scan(db, table)) {
    for (const row of page) sum.add(row);
    report(sum.rows);
  }
  return sum.summary();
}

async function rowsOf<T extends TableName>(db: Kysely<Tables>, table: T): Promise<Row<T>[]> {
  const rows: Row<T>[] = [];
  for await (const page of scan(db, table)) rows.push(...page);
  return rows;
}

export async function count(db: Kysely<Tables>, table: TableName): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(db);
  return rows[0]?.rows ?? 0;
}

/** After a restore the next turn is later than all that are stored. */
export async function feedOffsetOf({ db }: CopySource): Promise<number> {
  const query = db.selectFrom('configuration').select('feed_turn');
  return (await query.executeTakeFirstOrThrow()).feed_turn;
}

export interface TableSummary {
  readonly table: TableName;
  readonly rows: number;
  /** SHA-256 over all rows in the order of their keys; the same for the same rows in every database. */
  readonly checksum: string;
}

/** What a table holds, in one number: add its rows in the order of their keys. */
export class TableSum {
  rows = 0;
  readonly #table: TableName;
  readonly #hash = createHash('sha256');

  constructor(table: TableName) {
    this.#table = table;
  }

  add(row: object): void {
    this.#hash.update(textOf(row));
    this.rows += 1;
  }

  summary(): TableSummary {
    return { table: this.#table, rows: this.rows, checksum: this.#hash.digest('hex') };
  }
}

/** The same text for the same row, whichever database and in whichever order of columns it comes from. */
export function textOf(row: object): string {
  const entries = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(entries)}\n`;
}
