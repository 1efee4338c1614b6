import { once } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import { asLines, NDJSON, openImport } from './import-request.js';
import { RunningServer } from './running-server.js';

let server: RunningServer;
afterEach(() => server.stop());

it('a dry run whose client disconnects is closed only after the current group', async () => {
  server = await RunningServer.start();
  const key = await server.addTenant('acme');
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { accounts } = server.store;
  const findAll = accounts.findAll.bind(accounts);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const findAllSpy = vi.spyOn(accounts, 'findAll').mockImplementation(async (...args) => {
    await held;
    return findAll(...args);
  });

  const connected = once(server.app.server, 'connection');
  const request = openImport({ url, key }, NDJSON, '?dry_run=true');
  request.on('error', () => {});
  request.write(asLines(Array.from({ length: 200 }, (_, i) => ({ account_id: `a-${i}` }))));
  const [response] = await once(request, 'response');
  response.on('error', () => {});
  await expect.poll(() => findAllSpy.mock.calls.length).toBe(1);
  const [socket] = await connected;
  const disconnected = once(socket, 'close');
  request.destroy();
  await disconnected;
  release();
  await expect.poll(() => server.log.map(({ msg }) => msg)).toContain('client disconnected during import');
  expect(server.log).not.toContainEqual(expect.objectContaining({ msg: 'import failed' }));
});
