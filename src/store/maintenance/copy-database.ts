import { createHash } from 'node:crypto';
import { type Insertable, type Kysely, sql } from 'kysely';
import { scanSets } from '../changes/sets-after.js';
import { StoreUnusable } from '../errors.js';
import { type KeyValue, lastKey, type Row, scan, type TableName } from '../schema/scan.js';
import type { Tables } from '../schema/tables.js';
import { changeConfiguration } from '../tenants/configuration-changes.js';

/** A database in which nothing changes while it is open here. */
export interface CopySource {
  readonly location: string;
  readonly db: Kysely<Tables>;
  close(): Promise<void>;
}

/** A database that no server can use while it is open here. */
export interface CopyEndpoint extends CopySource {
  /**
   * Called after rows were copied with their ids and positions. New rows must get higher ids, and new changes a later
   * commit order than in either database.
   */
  continueNumbers(from: CopySource): Promise<void>;
}

export interface CopyStep {
  readonly phase: 'copy' | 'verify';
  readonly table: TableName;
  readonly done: number;
  readonly total: number;
}

/** The tables to copy before credentials. Sessions are not copied: their users sign in again. */
const DATA: readonly TableName[] = [
  'tenant',
  'tenant_host',
  'attribute',
  'blocked_id',
  'source',
  'run',
  'account',
  'pushed',
  'change_set',
  'erasure',
  'tally',
  'period_count',
  'field_use',
  'rejection',
  'webhook',
  'webhook_delivery',
  'audit',
];
/** Without them no request can use an incomplete copy. */
const CREDENTIALS: readonly TableName[] = ['app_user', 'membership', 'one_time_link', 'api_key'];
export const COPIED_TABLES: readonly TableName[] = [...DATA, ...CREDENTIALS];

/**
 * Copies all data from one database to another, of either kind, and verifies the copy.
 *
 *   copy each table after the last key in the target ──▶ continue numbers ──▶ copy credentials ──▶ compare checksums
 *
 * - Rows are copied in the order of their keys, so that a copy that was interrupted continues after the last row.
 * - API keys and users come last, in one transaction: without them no request can use an incomplete copy. A target
 *   with keys is complete, and is only compared.
 * - Both sides are read again and compared by a SHA-256 of each table.
 */
export async function copyDatabase(
  from: CopySource,
  to: CopyEndpoint,
  report: (step: CopyStep) => void,
): Promise<TableSummary[]> {
  await rejectOtherTenants(from, to);
  if ((await lastKey(to.db, 'api_key')) === undefined) {
    for (const table of DATA) await copyTable(from.db, to.db, table, report);
    await to.continueNumbers(from);
    await changeConfiguration(to.db, async (transaction) => {
      for (const table of CREDENTIALS) await copyTable(from.db, transaction, table, report);
    });
  }
  const copied: TableSummary[] = [];
  for (const table of COPIED_TABLES) copied.push(await compareTable(from, to, table, report));
  return copied;
}

async function rejectOtherTenants(from: CopySource, to: CopyEndpoint): Promise<void> {
  const copied = new Set((await rowsOf(from.db, 'tenant')).map(textOf));
  const others = (await rowsOf(to.db, 'tenant')).filter((tenant) => !copied.has(textOf(tenant)));
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
  for await (const rows of pagesOf(from, table, await lastKey(to, table))) {
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
  const source = await summarise(from.db, table, reportRows);
  const target = await summarise(to.db, table, () => {});
  // Counted by the databases as well: both checksums would leave out a row that `scan` does not return.
  const copied = await count(to.db, table);
  if (source.checksum === target.checksum && copied === total) return source;
  throw new StoreUnusable(
    `The two differ in ${table}: ${total} rows in ${from.location}, ${copied} in ${to.location}. ` +
      'One of them was changed since. Empty the target and copy again.',
  );
}

/** All rows of a table in the order of its key, from after a key on. */
async function* pagesOf(
  db: Kysely<Tables>,
  table: TableName,
  after?: readonly KeyValue[],
): AsyncGenerator<Row<TableName>[]> {
  if (table !== 'change_set') return yield* scan(db, table, { after });
  const [first = -(2 ** 31), commitOrder = 0, seq = 0] = (after ?? []) as readonly number[];
  if (after !== undefined) yield* scanSets(db, first, { commitOrder, seq });
  for (let id = await nextTenant(db, first); id !== null; id = await nextTenant(db, id)) {
    yield* scanSets(db, id);
  }
}

/** The next tenant with change sets. It seeks in an index, one tenant at a time. */
async function nextTenant(db: Kysely<Tables>, after: number): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    select min(tenant_id) as id from change_set where tenant_id > ${after}
  `.execute(db);
  return rows[0]?.id ?? null;
}

export async function summarise(
  db: Kysely<Tables>,
  table: TableName,
  report: (done: number) => void,
): Promise<TableSummary> {
  const sum = new TableSum(table);
  for await (const page of pagesOf(db, table)) {
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

/** The offset of the commit order. After a restore it is higher than the commit order of all stored changes. */
export async function feedOffsetOf({ db }: CopySource): Promise<number> {
  const query = db.selectFrom('configuration').select('feed_turn');
  return (await query.executeTakeFirstOrThrow()).feed_turn;
}

export interface TableSummary {
  readonly table: TableName;
  readonly rows: number;
  /** SHA-256 of all rows in the order of their keys; the same rows give the same checksum in every database. */
  readonly checksum: string;
}

/** Computes the checksum of a table. Rows have to be added in the order of their keys. */
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

/** The same text for the same row, whatever the database and the order of its columns. */
export function textOf(row: object): string {
  const entries = Object.entries(row)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    ]);
  return `${JSON.stringify(entries)}\n`;
}
