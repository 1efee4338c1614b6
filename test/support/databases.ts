import { rm } from 'node:fs/promises';
import { inject, onTestFinished } from 'vitest';
import { queryOnce } from './postgres/postgres-server.js';
import { TEMPLATE } from './postgres/shared-postgres.js';
import { freshDirectory, type Settings } from './service.js';

/** A database for the program, without tenants. */
export interface Database {
  /** For `openStore`. */
  readonly url: string;
  /** For the program's environment. */
  readonly settings: Settings;
  remove(): Promise<void>;
}

const all = [
  ['SQLite', freshSqlite],
  ['PostgreSQL', freshPostgres],
] as const;

/** For `describe.each`: every database, or those that TEST_DATABASES names. */
export const databases = all.filter(([name]) => (process.env.TEST_DATABASES ?? name).includes(name));

/** Databases without any table, for tests of migrations. */
export const emptyDatabases = [
  ['SQLite', freshSqlite],
  ['PostgreSQL', emptyPostgres],
] as const;

export async function freshSqlite(): Promise<Database> {
  const dataDir = await freshDirectory();
  return {
    url: `sqlite:${dataDir}`,
    settings: { ACCOUNT_SYNC_DATA_DIR: dataDir },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

/** With the tables of this version. */
export function freshPostgres(): Promise<Database> {
  return createDatabase(`template ${TEMPLATE}`);
}

/** Without any table. */
export function emptyPostgres(): Promise<Database> {
  return createDatabase('');
}

/** The URL of a database for the running test only. It is removed after the test. */
export async function urlForTest(create: () => Promise<Database>): Promise<string> {
  const { url, remove } = await create();
  onTestFinished(remove);
  return url;
}

let created = 0;

async function createDatabase(options: string): Promise<Database> {
  const servers = inject('sharedPostgres');
  const server = servers[Number(process.env.VITEST_POOL_ID) % servers.length] ?? '';
  created += 1;
  const name = `test_${process.pid}_${created}`;
  await queryOnce(server, `create database ${name} ${options}`);
  const url = new URL(name, server).href;
  return {
    url,
    settings: { DATABASE_URL: url },
    remove: async () => {
      await queryOnce(server, `drop database if exists ${name} with (force)`);
    },
  };
}
