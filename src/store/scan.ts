import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from './tables.js';

/** How the rows of each table are told apart, and in which order they are read. */
export const ROW_KEYS = {
  tenant: ['id'],
  tenant_host: ['host'],
  attribute: ['tenant_id', 'name'],
  blocked_id: ['tenant_id', 'pattern'],
  account: ['tenant_id', 'account_id'],
  account_history: ['tenant_id', 'account_id', 'revision'],
  tally: ['tenant_id'],
  period_count: ['tenant_id', 'unit', 'start'],
  field_use: ['tenant_id', 'name'],
  rejection: ['id'],
  audit: ['id'],
  api_key: ['id'],
} as const;

export type TableName = keyof typeof ROW_KEYS;
export type Row<T extends TableName> = Selectable<Tables[T]>;
type KeyValue = string | number;

export interface ScanOptions {
  /** Begins behind the row with this key. */
  readonly after?: readonly KeyValue[] | undefined;
  readonly tenantId?: number;
}

const PAGE_ROWS = 1_000;
const PAGE_CHARACTERS = 2 * 1024 * 1024;

/** The column that may be long, where a table has one. */
const LONG_COLUMNS: Partial<Record<TableName, string>> = {
  account: 'fields',
  account_history: 'changes',
  rejection: 'record',
};

/** All rows of a table in the order of its key, page by page: memory stays bounded however large rows and table are. */
export async function* scan<T extends TableName>(
  db: Kysely<Tables>,
  table: T,
  options: ScanOptions = {},
): AsyncGenerator<Row<T>[]> {
  const { tenantId } = options;
  let { after } = options;
  const key = sql.join(ROW_KEYS[table].map((column) => sql.ref(column)));
  const long = LONG_COLUMNS[table];
  const size = long === undefined ? sql`0` : sql`length(${sql.ref(long)})`;
  const ofTenant = tenantId === undefined ? sql`` : sql`and tenant_id = ${tenantId}`;
  for (;;) {
    const behind = after === undefined ? sql`1 = 1` : sql`(${key}) > (${sql.join(after)})`;
    const { rows } = await sql<Row<T> & { before_it?: unknown }>`
      select * from (
        select page.*, sum(${size}) over (order by ${key}) - ${size} as before_it from (
          select * from ${sql.table(table)} where ${behind} ${ofTenant} order by ${key} limit ${PAGE_ROWS}
        ) as page
      ) as sized where before_it < ${PAGE_CHARACTERS} order by ${key}
    `.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    for (const row of rows) delete row.before_it;
    yield rows;
    after = keyOf(table, last);
  }
}

export function keyOf<T extends TableName>(table: T, row: Row<T>): KeyValue[] {
  return ROW_KEYS[table].map((column) => (row as unknown as Record<string, KeyValue>)[column] as KeyValue);
}

export async function lastKey<T extends TableName>(
  db: Kysely<Tables>,
  table: T,
): Promise<KeyValue[] | undefined> {
  const order = sql.join(ROW_KEYS[table].map((column) => sql`${sql.ref(column)} desc`));
  const { rows } = await sql<Row<T>>`
    select * from ${sql.table(table)} order by ${order} limit 1
  `.execute(db);
  return rows[0] && keyOf(table, rows[0]);
}
