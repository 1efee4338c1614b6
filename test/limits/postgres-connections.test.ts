import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NoFreeConnection, StoreUnusable } from '../../dist/store/errors.js';
import { openStore } from '../../dist/store/open-store.js';
import { ConnectionPools } from '../../dist/store/postgres/connection-pools.js';
import type { Purpose } from '../../dist/store/postgres/prepare-session.js';
import { createTenant } from '../store/store-contract.js';
import { owner } from '../support/postgres/binaries.js';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { freshDirectory } from '../support/service.js';

let server: PostgresServer;
let certificate: string;

beforeAll(async () => {
  const directory = await freshDirectory();
  chmodSync(directory, 0o755);
  certificate = join(directory, 'server.crt');
  const key = join(directory, 'server.key');
  const options = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const names = ['-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', ...options, ...names, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  chmodSync(key, 0o600);
  if (owner !== undefined) chownSync(key, owner.uid, owner.gid);
  server = await PostgresServer.start({ ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key });
}, 60_000);
afterAll(() => server.remove());

const failure = (database: string) =>
  openStore({ database }).then(
    () => undefined,
    (error) => error,
  );

it('a pool whose connections are all in use says so', async () => {
  const pools = new ConnectionPools([await server.createDatabase()], { size: 1, purpose: 'command' });
  const first = await pools.connect();
  await expect(pools.connect()).rejects.toThrow(NoFreeConnection);
  first.release();
  (await pools.connect()).release();
  await pools.end();
});

describe('a connection to PostgreSQL', () => {
  const sessions = (database: string) =>
    server.query(
      'select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) ' +
        `where datname = '${database.split('/').at(-1)}' and application_name like 'account-sync%'`,
    );

  it.each([
    ['disable', false],
    ['require', true],
    ['verify-ca&sslrootcert=CERTIFICATE', true],
    ['verify-full&sslrootcert=CERTIFICATE', true],
  ])('with sslmode=%s has encryption: %s', async (mode, ssl) => {
    const database = (await server.createDatabase()).replace('127.0.0.1', 'localhost');
    const url = `${database}?sslmode=${mode.replace('CERTIFICATE', certificate)}`;
    const store = await openStore({ database: url });
    await store.check();
    expect(await sessions(database)).toEqual([{ ssl }]);
    await store.close();
  });

  it('with sslmode=verify-full fails if the certificate has another name, or an unknown issuer', async () => {
    const database = await server.createDatabase();
    const other = await failure(`${database}?sslmode=verify-full&sslrootcert=${certificate}`);
    expect(other).toBeInstanceOf(StoreUnusable);
    expect(other.message).toContain("does not match certificate's altnames");
    const unknown = await failure(`${database.replace('127.0.0.1', 'localhost')}?sslmode=verify-full`);
    expect(unknown.message).toContain('self-signed certificate');
  });

  it('commits durably whatever the default of the database', async () => {
    const database = await server.createDatabase();
    const name = database.split('/').at(-1);
    await server.query(`alter database ${name} set synchronous_commit = off`);
    await server.query(`alter database ${name} set default_transaction_isolation = 'serializable'`);
    const store = await openStore({ database });
    const tenantId = await createTenant(store, 'acme');
    const before = await server.query('select pg_current_wal_flush_lsn() as flushed');
    const patches = [{ accountId: 'a', fields: {} }];
    await store.upsert({ tenantId, patches, requestId: 'r', senderId: 'k', at: 1, bytes: 1 });
    const [row] = await server.query(
      `select pg_current_wal_insert_lsn() = pg_current_wal_flush_lsn() as flushed,
        pg_current_wal_flush_lsn() > '${before[0]?.flushed}' as moved`,
    );
    expect(row).toEqual({ flushed: true, moved: true });
    await store.close();
  });

  // Longer than the client waits: if the server ended the wait for a standby, the commit would look successful.
  it.each<[Purpose, string]>([
    ['server', '6s'],
    ['command', '6s'],
    ['migration', '0'],
    ['copy', '0'],
    ['reader', '0'],
  ])('for a %s has a statement timeout of %s on the server', async (purpose, statement_timeout) => {
    const connections = new ConnectionPools([await server.createDatabase()], { size: 1, purpose });
    const { rows } = await connections.use((connection) => connection.query('show statement_timeout'));
    expect(rows).toEqual([{ statement_timeout }]);
    await connections.end();
  });

  it('gives a large request a longer timeout on the server than in the client', async () => {
    const database = await server.createDatabase();
    const store = await openStore({ database });
    const tenantId = await createTenant(store, 'acme');
    await server.query(
      `create table seen (records bigint, statement_timeout text);
      create function note() returns trigger language plpgsql as $$ begin
        insert into seen select count(*), current_setting('statement_timeout') from added;
        return null;
      end $$;
      create trigger note after insert on account referencing new table as added
      for each statement execute function note()`,
      database.split('/').at(-1),
    );
    for (const records of [2_000, 2_500, 1]) {
      const patches = Array.from({ length: records }, (_, i) => ({
        accountId: `${records}-${i}`,
        fields: {},
      }));
      await store.upsert({ tenantId, patches, requestId: 'r', senderId: 'k', at: 1, bytes: 1 });
    }
    expect(await server.query('select * from seen', database.split('/').at(-1))).toEqual([
      { records: '2000', statement_timeout: '6s' },
      { records: '2500', statement_timeout: '6500ms' },
      { records: '1', statement_timeout: '6s' },
    ]);
    await store.close();
  });

  it('does not retry a statement that the server has cancelled, and the next request succeeds', async () => {
    const database = await server.createDatabase();
    const store = await openStore({ database });
    const tenantId = await createTenant(store, 'acme');
    const write = () =>
      store.upsert({
        tenantId,
        patches: [{ accountId: 'a', fields: {} }],
        requestId: 'r',
        senderId: 'k',
        at: 1,
        bytes: 1,
      });
    const name = database.split('/').at(-1);
    await server.query(
      `create sequence tries;
      create function slow() returns trigger language plpgsql as $$ begin
        perform nextval('tries');
        raise query_canceled using message = 'canceling statement due to statement timeout';
      end $$;
      create trigger slow before insert on account for each row execute function slow()`,
      name,
    );
    await expect(write()).rejects.toMatchObject({ code: '57014' });
    expect(await server.query('select last_value from tries', name)).toEqual([{ last_value: '1' }]);
    await server.query('drop trigger slow on account', name);
    expect(await write()).toMatchObject({ created: 1 });
    await store.close();
  });

  it('goes to the server that accepts writes, wherever it is in the list', async () => {
    const database = await server.createDatabase();
    const list = `127.0.0.1:1,127.0.0.1:${server.port}`;
    const store = await openStore({ database: database.replace(`127.0.0.1:${server.port}`, list) });
    expect(store.location).toBe(`PostgreSQL, ${list}/${database.split('/').at(-1)}`);
    await store.check();
    await store.close();
  });
});

describe('an unusable database is reported with a sentence, without its password', () => {
  const url = (rest: string) => `postgres://postgres:secret@${rest}`;
  it.each([
    [
      'no server listens',
      () => url('127.0.0.1:1/db'),
      /^The database 127\.0\.0\.1:1\/db cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1\. Is it running there, and is DATABASE_URL right\?$/,
    ],
    [
      'it does not exist',
      () => url(`127.0.0.1:${server.port}/nowhere`),
      /cannot be used: database "nowhere" does not exist\. Create it, or name another in DATABASE_URL\.$/,
    ],
    [
      'the user does not exist',
      () => `postgres://unknown:secret@127.0.0.1:${server.port}/postgres`,
      /cannot be used: role "unknown" does not exist\. Are the user in DATABASE_URL and the server's pg_hba\.conf right\?$/,
    ],
  ])('%s', async (_name, database, message) => {
    const error = await failure(database());
    expect(error).toBeInstanceOf(StoreUnusable);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('secret');
  });

  it('it accepts no writes', async () => {
    const database = await server.createDatabase();
    await server.query(`alter database ${database.split('/').at(-1)} set default_transaction_read_only = on`);
    expect((await failure(database)).message).toContain('the server accepts no writes');
  });

  it('it has another encoding', async () => {
    await server.query("create database latin encoding 'LATIN1' template template0");
    expect((await failure(server.url('latin'))).message).toBe(
      "The database has the encoding LATIN1. Create one with: encoding 'UTF8'.",
    );
  });

  it('the user may not create tables', async () => {
    const database = await server.createDatabase();
    await server.query('create role guest login');
    await server.query('revoke create on schema public from public', database.split('/').at(-1));
    const error = await failure(database.replace('postgres@', 'guest@'));
    expect(error.message).toMatch(
      /permission denied for schema public\. Let the user create tables there, or make it the owner of the database\.$/,
    );
  });
});
