import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { hashKey } from '../../dist/domain/api-key.js';
import { RunningServer } from '../http/running-server.js';
import { freshPostgres, urlForTest } from '../support/databases.js';

it('a request for which no connection to the database is free gets 503 with Retry-After', async () => {
  const database = await urlForTest(freshPostgres);
  // One connection reads, one writes.
  const server = await RunningServer.start({ store: { database, poolSize: 2, serving: true } });
  onTestFinished(() => server.stop());
  await server.addTenant('acme');
  const tenant = await server.store.directory.findTenant({ name: 'acme' });
  const key = 'key-that-reads'.padEnd(32, '-');
  await server.store.directory.keys.add({
    id: 'reader',
    tenantId: tenant?.id ?? 0,
    hash: hashKey(key),
    scopes: ['read'],
    label: '',
    createdAt: 1,
    expiresAt: null,
  });
  const read = () =>
    server.app.inject({ url: '/api/v2/accounts/a', headers: { authorization: `Bearer ${key}` } });
  expect((await read()).statusCode).toBe(404);
  const other = new pg.Client(database);
  await other.connect();
  onTestFinished(() => other.end());
  await other.query('begin; lock table account');
  // The first waits for the lock, and then the second does; the third has waited for a connection too long by then.
  const first = read();
  const waiting = 'select count(*)::int as count from pg_locks where not granted';
  await expect.poll(async () => (await other.query(waiting)).rows).toEqual([{ count: 1 }]);
  const second = read();
  const third = await read();
  await other.query('rollback');
  await Promise.all([first, second]);
  expect(third.statusCode).toBe(503);
  expect(third.headers['retry-after']).toBe('1');
  expect(third.json()).toMatchObject({
    code: 'database_busy',
    detail: 'All connections to the database are in use. Send the request again in a moment.',
  });
});
