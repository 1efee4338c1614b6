import { join } from 'node:path';
import pg from 'pg';
import { openConnection } from '../../dist/store/sqlite/connection.js';

export type Dump = Readonly<Record<string, readonly string[]>>;

/** Every row of every table of a database, as text. */
export async function dumpTables(url: string): Promise<Dump> {
  return url.startsWith('sqlite:') ? dumpSqlite(url.slice('sqlite:'.length)) : dumpPostgres(url);
}

/** Added up from changes and requests in the background. */
const COUNTS: readonly string[] = ['tally', 'period_count', 'field_use'];
/** The columns of a run that are not added up in the background. */
const OF_RUN = ['id', 'tenant_id', 'source', 'kind', 'state', 'key_id', 'started_at', 'ended_at', 'mode'];

/** Like `dumpTables`, but without what the server writes at irregular times: the last use of each key, and counts. */
export async function dumpLasting(url: string): Promise<Dump> {
  const tables = Object.entries(await dumpTables(url)).filter(([name]) => !COUNTS.includes(name));
  const withoutUse = (row: string) => row.replace(/("last_used_at"):[^,}]+/, '$1:null');
  const withoutCounts = (row: string) => JSON.stringify(JSON.parse(row), OF_RUN);
  return Object.fromEntries(
    tables.map(([name, rows]) => [name, rows.map(name === 'run' ? withoutCounts : withoutUse).sort()]),
  );
}

function dumpSqlite(dataDir: string): Dump {
  const db = openConnection(join(dataDir, 'account-sync.db'));
  const tables: { name: string }[] = db.prepare("select name from sqlite_schema where type = 'table'").all();
  const dump = tables.map(({ name }) => [name, asText(db.prepare(`select * from "${name}"`).all())]);
  db.close();
  return Object.fromEntries(dump);
}

async function dumpPostgres(url: string): Promise<Dump> {
  const client = new pg.Client(url);
  await client.connect();
  const tables = await client.query("select tablename from pg_tables where schemaname = 'public'");
  const dump: Record<string, string[]> = {};
  for (const { tablename } of tables.rows) {
    dump[tablename] = asText((await client.query(`select * from "${tablename}"`)).rows);
  }
  await client.end();
  return dump;
}

function asText(rows: readonly object[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
