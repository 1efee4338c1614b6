import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseDatabaseUrl } from '../../dist/store/database-url.js';
import { openStore } from '../../dist/store/open-store.js';
import { type Database, databases, emptyDatabases, freshSqlite } from '../support/databases.js';
import { dumpTables } from '../support/dump-tables.js';
import { run } from '../support/service.js';

const ADVICE =
  'Run the command in the directory where the server runs, or set ACCOUNT_SYNC_DATA_DIR or DATABASE_URL to the server’s values. ' +
  'The first account-sync serve creates a new database.';

function locationOf(url: string): string {
  const address = parseDatabaseUrl(url);
  return address.kind === 'sqlite'
    ? `SQLite, ${join(address.dataDir, 'account-sync.db')}`
    : `PostgreSQL, ${address.name}`;
}

describe.each(emptyDatabases)('without a database, on %s', (name, createDatabase) => {
  let database: Database;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.remove());

  const sentence = () =>
    name === 'SQLite'
      ? `There is no database: ${join(database.url.slice('sqlite:'.length), 'account-sync.db')} does not exist.`
      : `There is no database: ${locationOf(database.url)} holds no tables of account-sync.`;
  const left = () =>
    name === 'SQLite' ? readdir(database.url.slice('sqlite:'.length)) : dumpTables(database.url);

  it('a command reports it, and creates none', async () => {
    const commands = [
      ['tenant', 'create', 'acme'],
      ['tenant', 'delete', 'acme', '--yes'],
      ['key', 'list', 'default'],
      ['demo', '--remove'],
      ['verify'],
    ];
    const ends = await Promise.all(commands.map((args) => run(args, database.settings)));
    const missing = { status: 1, stdout: '', stderr: `${sentence()} ${ADVICE}\n` };
    expect(ends).toEqual(commands.map(() => missing));
    expect(await run(['tenant', 'list', '--json'], database.settings)).toEqual({
      ...missing,
      stderr: `${JSON.stringify({ error: `${sentence()} ${ADVICE}` })}\n`,
    });
    expect(await left()).toEqual(name === 'SQLite' ? [] : {});
  });

  it('copy creates no source', async () => {
    const to = await freshSqlite();
    expect(await run(['copy', '--from', database.url, '--to', to.url], {})).toEqual({
      status: 1,
      stdout: '',
      stderr: `--from: ${sentence()}\n`,
    });
    expect(await left()).toEqual(name === 'SQLite' ? [] : {});
    expect(await readdir(to.url.slice('sqlite:'.length))).toEqual([]);
    await to.remove();
  });
});

it('a command creates no data directory', async () => {
  const { url, remove } = await freshSqlite();
  const parent = url.slice('sqlite:'.length);
  const dataDir = join(parent, 'elsewhere', 'data');
  const { status, stderr } = await run(['tenant', 'list'], { ACCOUNT_SYNC_DATA_DIR: dataDir });
  expect([status, stderr]).toEqual([
    1,
    `There is no database: ${join(dataDir, 'account-sync.db')} does not exist. ${ADVICE}\n`,
  ]);
  expect(await readdir(parent)).toEqual([]);
  await remove();
});

describe.each(databases)('on %s', (_name, createDatabase) => {
  it('a command names its database on standard error, except with --json', async () => {
    const { url, settings, remove } = await createDatabase();
    const store = await openStore({ database: url });
    await store.directory.createTenant('acme', {}, 1);
    await store.close();
    const named = `Database: ${locationOf(url)}\n`;
    const commands = [
      ['tenant', 'set', 'acme', '--history-days', '9'],
      ['key', 'list', 'acme'],
      ['attribute', 'list', 'acme'],
      ['block', 'list', 'acme'],
    ];
    const ends = await Promise.all(commands.map((args) => run(args, settings)));
    expect(ends.map(({ status, stderr }) => [status, stderr])).toEqual(commands.map(() => [0, named]));
    expect(await run(['tenant', 'show', 'acme', '--json'], settings)).toEqual({
      status: 0,
      stdout: expect.stringContaining('"history_days": 9'),
      stderr: '',
    });
    await remove();
  });
});
