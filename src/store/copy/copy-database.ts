import { createHash } from 'node:crypto';
import { type Insertable, type Kysely, sql } from 'kysely';
import { changeConfiguration } from '../directory/change-configuration.js';
import { lastKey, type Row, scan, type TableName } from '../scan.js';
import { StoreUnusable } from '../store.js';
import type { Tables } from '../tables.js';

/** A database that nobody serves from for as long as it is open here. */
export interface DatabaseEnd {
  readonly location: string;
  readonly db: Kysely<Tables>;
  /** After rows came with numbers and turns of their own: the next come behind them. */
  continueNumbers(): Promise<void>;
  close(): Promise<void>;
}

export interface CopiedTable {
  readonly table: TableName;
  readonly rows: number;
  /** SHA-256 over all rows in the order of their keys; the same on both sides. */
  readonly checksum: string;
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
const ALL: readonly TableName[] = [...DATA, 'api_key'];

/**
 * Copies what is not there yet, in the order of keys, so that a copy that was broken off goes on where it ended; then
 * reads both sides again and compares them. A target that has keys is complete, and only compared.
 */
export async function copyDatabase(
  from: DatabaseEnd,
  to: DatabaseEnd,
  report: (step: CopyStep) => void,
): Promise<CopiedTable[]> {
  await refuseOtherTenants(from, to);
  if ((await lastKey(to.db, 'api_key')) === undefined) {
    for (const table of DATA) await copyTable(from.db, to.db, table, report);
    await to.continueNumbers();
    await changeConfiguration(to.db, (transaction) => copyTable(from.db, transaction, 'api_key', report));
  }
  const copied: CopiedTable[] = [];
  for (const table of ALL) copied.push(await compareTable(from, to, table, report));
  return copied;
}

async function refuseOtherTenants(from: DatabaseEnd, to: DatabaseEnd): Promise<void> {
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
  from: DatabaseEnd,
  to: DatabaseEnd,
  table: TableName,
  report: (step: CopyStep) => void,
): Promise<CopiedTable> {
  const total = await count(from.db, table);
  const reportRows = (done: number) => report({ phase: 'verify', table, done, total });
  reportRows(0);
  const ours = await summarise(from.db, table, reportRows);
  const theirs = await summarise(to.db, table, () => {});
  if (ours.checksum === theirs.checksum) return { table, ...ours };
  throw new StoreUnusable(
    `The two differ in ${table}: ${ours.rows} rows in ${from.location}, ${theirs.rows} in ${to.location}. ` +
      'One of them was changed since. Empty the target and copy again.',
  );
}

async function summarise(db: Kysely<Tables>, table: TableName, report: (done: number) => void) {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const page of scan(db, table)) {
    for (const row of page) hash.update(textOf(row));
    rows += page.length;
    report(rows);
  }
  return { rows, checksum: hash.digest('hex') };
}

async function rowsOf<T extends TableName>(db: Kysely<Tables>, table: T): Promise<Row<T>[]> {
  const rows: Row<T>[] = [];
  for await (const page of scan(db, table)) rows.push(...page);
  return rows;
}

async function count(db: Kysely<Tables>, table: TableName): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(db);
  return rows[0]?.rows ?? 0;
}

/** The same text for the same row, whichever database and in whichever order of columns it comes from. */
function textOf(row: object): string {
  const entries = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(entries)}\n`;
}
