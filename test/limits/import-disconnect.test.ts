import { once } from 'node:events';
import pg from 'pg';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { asLines, NDJSON, openImport } from '../http/import-request.js';
import { RunningServer } from '../http/running-server.js';
import { freshPostgres, urlForTest } from '../support/databases.js';

let server: RunningServer;
afterEach(() => server.stop());

it('a dry run whose client disconnects is closed only after the current group', async () => {
  const database = await urlForTest(freshPostgres);
  server = await RunningServer.start({ store: { database } });
  const key = await server.addTenant('acme');
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const other = new pg.Client(database);
  await other.connect();
  onTestFinished(() => other.end());
  await other.query('begin; lock table account');

  const connected = once(server.app.server, 'connection');
  const request = openImport({ url, key }, NDJSON, '?dry_run=true');
  request.on('error', () => {});
  request.write(asLines(Array.from({ length: 200 }, (_, i) => ({ account_id: `a-${i}` }))));
  const [response] = await once(request, 'response');
  response.on('error', () => {});
  const waiting = 'select count(*)::int as count from pg_locks where not granted';
  await expect.poll(async () => (await other.query(waiting)).rows).toEqual([{ count: 1 }]);
  const [socket] = await connected;
  const disconnected = once(socket, 'close');
  request.destroy();
  await disconnected;
  await other.query('rollback');
  await expect.poll(() => server.log.map(({ msg }) => msg)).toContain('client disconnected during import');
  expect(server.log).not.toContainEqual(expect.objectContaining({ msg: 'import failed' }));
  // The thread is still there.
  expect((await server.post('/api/v1_1/account', key, { account_id: 'b' })).statusCode).toBe(200);
});
