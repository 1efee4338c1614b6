import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import pg from 'pg';
import { z } from 'zod';

/**
 * The usual way to write such a service, for comparison: Express, zod, and one upsert statement per request. It has no
 * API keys and no history. With the argument `history` it keeps one, in the ordinary way: a transaction reads and locks
 * the accounts, compares, and writes what has changed with a row of history for each change.
 */
const TENANT = 1;
const keepsHistory = process.argv.includes('history');

const identifier = z.string().trim().toLowerCase().min(1).max(255);
const account = z.looseObject({
  account_id: identifier,
  parent_account_id: identifier.nullish(),
  name: z.string().trim().max(255).nullish(),
  licenses: z.int().nullish(),
  custom_Is_Valid: z.boolean().nullish(),
  custom_External_Created_On: z.iso.date().nullish(),
  custom_External_Created_At: z.iso.datetime({ offset: true }).nullish(),
});
const batch = z.array(account).min(1).max(5_000);

const COLUMNS = 'tenant_id, account_id, parent_account_id, name, fields, updated_at';
const ON_CONFLICT = `
  on conflict (tenant_id, account_id) do update set parent_account_id = excluded.parent_account_id,
    name = excluded.name, fields = excluded.fields, updated_at = excluded.updated_at`;

const upsertOne = {
  name: 'upsert-one',
  text: `insert into account (${COLUMNS}) values ($1, $2, $3, $4, $5, $6) ${ON_CONFLICT}`,
};
const upsertMany = {
  name: 'upsert-many',
  text: `
    insert into account (${COLUMNS})
    select $1, id, parent, name, fields, $6
    from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as new (id, parent, name, fields)
    ${ON_CONFLICT}`,
};

const readForUpdate = {
  name: 'read-for-update',
  text: `
    select account_id, parent_account_id, name, fields from account
    where tenant_id = $1 and account_id = any($2::text[]) order by account_id for update`,
};
const appendHistory = {
  name: 'append-history',
  text: `
    insert into account_history (tenant_id, account_id, changes, at)
    select $1, id, changes, $4 from unnest($2::text[], $3::text[]) as new (id, changes)`,
};

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query(`
  create table account (
    tenant_id integer not null, account_id text not null, parent_account_id text, name text,
    fields text not null, updated_at bigint not null, primary key (tenant_id, account_id)
  )`);

if (keepsHistory) {
  await pool.query(`
    create table account_history (
      id bigint generated always as identity primary key, tenant_id integer not null, account_id text not null,
      at bigint not null, changes text not null
    )`);
  await pool.query('create index account_history_by_account on account_history (tenant_id, account_id, id)');
}

type Row = z.infer<typeof account>;

async function store(rows: readonly Row[]): Promise<void> {
  if (keepsHistory) return storeWithHistory(rows);
  const [row] = rows;
  if (row !== undefined && rows.length === 1) {
    const { account_id, parent_account_id, name, ...fields } = row;
    const values = [TENANT, account_id, parent_account_id, name, JSON.stringify(fields), Date.now()];
    await pool.query({ ...upsertOne, values });
  } else await pool.query({ ...upsertMany, values: valuesOf(rows) });
}

async function storeWithHistory(rows: readonly Row[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const ids = rows.map(({ account_id }) => account_id);
    const stored = await client.query({ ...readForUpdate, values: [TENANT, ids] });
    const before = new Map(stored.rows.map((row) => [row.account_id, { ...row, ...JSON.parse(row.fields) }]));
    const changed = rows
      .map((row) => ({ row, changes: changesOf(before.get(row.account_id) ?? {}, row) }))
      .filter(({ changes }) => Object.keys(changes).length > 0);
    if (changed.length > 0) {
      await client.query({ ...upsertMany, values: valuesOf(changed.map(({ row }) => row)) });
      const values = [
        TENANT,
        changed.map(({ row }) => row.account_id),
        changed.map(({ changes }) => JSON.stringify(changes)),
        Date.now(),
      ];
      await client.query({ ...appendHistory, values });
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

function changesOf(before: Readonly<Record<string, unknown>>, after: Row): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const [name, to] of Object.entries(after)) {
    const from = before[name] ?? null;
    if (JSON.stringify(from) !== JSON.stringify(to ?? null)) changes[name] = [from, to ?? null];
  }
  return changes;
}

function valuesOf(rows: readonly Row[]): unknown[] {
  return [
    TENANT,
    rows.map(({ account_id }) => account_id),
    rows.map(({ parent_account_id }) => parent_account_id),
    rows.map(({ name }) => name),
    rows.map(({ account_id, parent_account_id, name, ...fields }) => JSON.stringify(fields)),
    Date.now(),
  ];
}

const app = express()
  .disable('x-powered-by')
  .disable('etag')
  .use(express.json({ limit: '10mb' }));
app.post('/api/v1_1/account', async (request, response) => {
  const { data, error } = account.safeParse(request.body);
  if (error !== undefined) return reject(response, error);
  await store([data]);
  response.json({ success: true });
});
app.post('/api/v1_1/accounts', async (request: Request, response) => {
  const { data, error } = batch.safeParse(request.body);
  if (error !== undefined) return reject(response, error);
  // One statement cannot update a row twice, so only the last record of each account is kept.
  const rows = [...new Map(data.map((row) => [row.account_id, row])).values()];
  await store(rows);
  response.json({ success: true });
});

function reject(response: Response, { issues }: z.ZodError): void {
  response.status(400).json({ success: false, errors: issues });
}

const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`  Address  http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => {
  server.close(() => pool.end()).closeAllConnections();
});
