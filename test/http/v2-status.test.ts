import { describe, expect, it, onTestFinished } from 'vitest';
import { VERSION } from '../../dist/version.js';
import { databases } from '../databases.js';
import { PostgresServer } from '../postgres/postgres-server.js';
import { eventually, problem, useServer, V2Server } from './v2-server.js';

describe.each(databases)('the status on %s', (name, createDatabase) => {
  const server = useServer(createDatabase);

  it('tells that all is well', async () => {
    const acme = await server.tenant();
    const { status, body } = await acme.get('/status');
    expect([status, body]).toEqual([
      200,
      {
        version: VERSION,
        database: name === 'SQLite' ? 'sqlite' : 'postgres',
        is_ready: true,
        problem: null,
        waiting_records: 0,
      },
    ]);
  });
});

describe('while the database does not answer, the status', () => {
  it('is told to keys that were live, and to no other', async () => {
    const postgres = await PostgresServer.start();
    onTestFinished(() => postgres.remove());
    const server = new V2Server();
    const url = await postgres.createDatabase();
    await server.start(async () => ({ url, settings: {}, remove: async () => {} }));
    onTestFinished(() => server.stop());
    const acme = await server.tenant();
    const other = await server.tenant();
    const expired = await acme.addKey(['read'], undefined, server.now + 10);
    const syncer = await acme.addKey(['sync']);
    const ask = (key: string) => acme.get('/status', { authorization: `Bearer ${key}` });
    for (const key of [acme.key, expired, syncer]) await ask(key);
    server.now += 10;
    await postgres.stop('SIGQUIT');
    // It needs the database for the key alone, which is looked up again by now: what is told then is told by memory.
    const test = () => acme.call('POST', '/blocked-ids/test', { account_id: 'a' });
    await eventually(async () => expect((await test()).status).toBe(500));
    const { status, body } = await acme.get('/status');
    expect([status, body]).toEqual([
      200,
      {
        version: VERSION,
        database: 'postgres',
        is_ready: false,
        problem: 'The database does not answer.',
        waiting_records: 0,
      },
    ]);
    expect((await ask(expired)).status).toBe(500);
    expect((await ask(other.key)).status).toBe(500);
    expect((await ask(syncer)).body).toEqual(problem(403, 'This key lacks the scope read.'));
    await postgres.resume();
    await eventually(async () => expect((await acme.get('/status')).body.is_ready).toBe(true));
    expect((await ask(other.key)).status).toBe(200);
    expect((await ask(expired)).status).toBe(401);
  }, 60_000);
});
