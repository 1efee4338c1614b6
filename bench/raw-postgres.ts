import pg from 'pg';
import { accountRow } from './account-row.js';
import { type AccountRecord, AccountSource } from './account-source.js';
import type { BenchmarkCase } from './benchmark-case.js';
import { rawMeasurement } from './raw-measurement.js';
import { FIRST_ACCOUNTS } from './store-accounts.js';
import type { Workbench } from './workbench.js';

/** PostgreSQL without the service: one prepared `unnest` upsert per commit from this process, no HTTP, no history. */
export const RAW_POSTGRES = 'PostgreSQL alone';

const CREATE_TABLE = `
  create table account (
    tenant_id integer not null, account_id text collate "C" not null, parent_account_id text collate "C",
    name text collate "C", fields text collate "C" not null, revision integer not null, created_at bigint not null,
    updated_at bigint not null, primary key (tenant_id, account_id)
  )`;
const UPSERT = {
  name: 'upsert',
  text: `
    insert into account select 1, id, parent, name, fields, 1, $5, $5
    from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as new (id, parent, name, fields)
    on conflict (tenant_id, account_id) do update set parent_account_id = excluded.parent_account_id,
      name = excluded.name, fields = excluded.fields, revision = account.revision + 1,
      updated_at = excluded.updated_at`,
};

export async function rawPostgres(
  scenario: string,
  workbench: Workbench,
  rowsPerCommit: number,
  connections: number,
): Promise<BenchmarkCase> {
  const connectionString = await workbench.postgres.createDatabase();
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString }));
  for (const client of clients) {
    // The connection is not closed: it fails when the server stops, which is the last step of the run.
    client.on('error', () => {});
    await client.connect();
    await client.query('set synchronous_commit = on');
  }
  const source = new AccountSource('Account');
  await clients[0]?.query(CREATE_TABLE);
  await clients[0]?.query({ ...UPSERT, values: valuesOf(source.next('new', FIRST_ACCOUNTS)) });
  return {
    scenario,
    target: RAW_POSTGRES,
    async round(seconds) {
      return rawMeasurement(rowsPerCommit, workbench.postgresPid, async (onCommit) => {
        const end = performance.now() + seconds * 1000;
        const sendCommits = async (client: pg.Client) => {
          while (performance.now() < end) {
            const values = valuesOf(source.next('mixed', rowsPerCommit));
            const startedAt = performance.now();
            await client.query({ ...UPSERT, values });
            onCommit(performance.now() - startedAt);
          }
        };
        await Promise.all(clients.map(sendCommits));
      });
    },
  };
}

function valuesOf(records: readonly AccountRecord[]): unknown[] {
  const rows = records.map(accountRow);
  const column = (name: keyof (typeof rows)[number]) => rows.map((row) => row[name]);
  return [column('id'), column('parent'), column('name'), column('fields'), Date.now()];
}
