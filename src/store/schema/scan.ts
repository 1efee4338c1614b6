import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from './tables.js';

/** The columns that identify a row of each table; rows are read in their order. */
const ROW_KEYS = {
  tenant: ['id'],
  tenant_host: ['host'],
  attribute: ['tenant_id', 'name'],
  blocked_id: ['tenant_id', 'pattern'],
  source: ['tenant_id', 'name'],
  run: ['id'],
  account: ['tenant_id', 'account_id'],
  webhook: ['id'],
  webhook_delivery: ['id'],
  pushed: ['tenant_id', 'source', 'account_id'],
  account_value: ['tenant_id', 'account_id', 'name'],
  change_set: ['tenant_id', 'turn', 'seq'],
  erasure: ['tenant_id', 'account_id'],
  tally: ['tenant_id'],
  period_count: ['tenant_id', 'unit', 'start'],
  field_use: ['tenant_id', 'name'],
  rejection: ['id'],
  audit: ['id'],
  api_key: ['id'],
  app_user: ['id'],
  membership: ['tenant_id', 'user_id'],
  one_time_link: ['id'],
} as const;

export type TableName = keyof typeof ROW_KEYS;
export type Row<T extends TableName> = Selectable<Tables[T]>;
export type KeyValue = string | number;

export interface ScanOptions {
  /** Starts after the row with this key. A shorter key stands for all rows whose key starts with it. */
  readonly after?: readonly KeyValue[] | undefined;
  /** Ends with the row with this key, or with all rows whose key starts with it. */
  readonly until?: readonly KeyValue[] | undefined;
  readonly tenantId?: number;
}

const PAGE_ROWS = 1_000;
const PAGE_CHARACTERS = 2 * 1024 * 1024;

/** The column that may be long, if a table has one. */
const LONG_COLUMNS: Partial<Record<TableName, string>> = {
  account: 'fields',
  rejection: 'record',
};

/**
 * Reads all rows of a table in the order of its key. Pages are limited in rows and characters, to bound memory. For
 * `change_set` use `scanSets`: SQLite would read all sets before each page.
 */
export async function* scan<T extends TableName>(
  db: Kysely<Tables>,
  table: T,
  options: ScanOptions = {},
): AsyncGenerator<Row<T>[]> {
  const { tenantId } = options;
  let { after } = options;
  const columns = ROW_KEYS[table].map((column) => sql.ref(column));
  const key = sql.join(columns);
  // For one tenant, the comparison leaves out `tenant_id`. With it, SQLite would seek to the tenant's first row and
  // read all rows before the page.
  const first = tenantId === undefined ? 0 : 1;
  const compared = (operator: '>' | '<=', to: readonly KeyValue[] | undefined) =>
    to === undefined
      ? sql`1 = 1`
      : sql`(${sql.join(columns.slice(first, to.length))}) ${sql.raw(operator)} (${sql.join(to.slice(first))})`;
  const within = compared('<=', options.until);
  const long = LONG_COLUMNS[table];
  // The rejection of a whole request has a null `record`: without `coalesce` its row would be left out.
  const size = long === undefined ? sql`0` : sql`coalesce(length(${sql.ref(long)}), 0)`;
  const ofTenant = tenantId === undefined ? sql`` : sql`and tenant_id = ${tenantId}`;
  for (;;) {
    const beyond = compared('>', after);
    const { rows } = await sql<Row<T> & { before_it?: unknown }>`
      select * from (
        select page.*, sum(${size}) over (order by ${key}) - ${size} as before_it from (
          select * from ${sql.table(table)} where ${beyond} and ${within} ${ofTenant}
          order by ${key} limit ${PAGE_ROWS}
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
