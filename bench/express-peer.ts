import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import pg from 'pg';
import { z } from 'zod';

/**
 * The usual way to write such a service, for comparison: Express, zod, and one upsert statement per request. It has no
 * API keys and no history.
 */
const TENANT = 1;

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

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query(`
  create table account (
    tenant_id integer not null, account_id text not null, parent_account_id text, name text,
    fields text not null, updated_at bigint not null, primary key (tenant_id, account_id)
  )`);

const app = express()
  .disable('x-powered-by')
  .disable('etag')
  .use(express.json({ limit: '10mb' }));
app.post('/api/v1_1/account', async (request, response) => {
  const { data, error } = account.safeParse(request.body);
  if (error !== undefined) return reject(response, error);
  const { account_id, parent_account_id, name, ...fields } = data;
  const values = [TENANT, account_id, parent_account_id, name, JSON.stringify(fields), Date.now()];
  await pool.query({ ...upsertOne, values });
  response.json({ success: true });
});
app.post('/api/v1_1/accounts', async (request: Request, response) => {
  const { data, error } = batch.safeParse(request.body);
  if (error !== undefined) return reject(response, error);
  // One statement cannot update a row twice, so only the last record of each account is kept.
  const rows = [...new Map(data.map((row) => [row.account_id, row])).values()];
  const values = [
    TENANT,
    rows.map(({ account_id }) => account_id),
    rows.map(({ parent_account_id }) => parent_account_id),
    rows.map(({ name }) => name),
    rows.map(({ account_id, parent_account_id, name, ...fields }) => JSON.stringify(fields)),
    Date.now(),
  ];
  await pool.query({ ...upsertMany, values });
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
