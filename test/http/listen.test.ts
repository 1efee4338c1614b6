import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { listen } from '../../dist/cli/serve/listen.js';
import { readConfig } from '../../dist/config.js';
import { NDJSON, openImport, readAnswer } from './import-request.js';
import { RunningServer } from './running-server.js';

// Only Linux has more than one loopback address by default.
const HOSTS = process.platform === 'linux' ? ['127.0.0.1', '127.0.0.2'] : ['127.0.0.1'];

it.each(HOSTS)(
  'a server that stops ends imports at each of its addresses with a summary: %s',
  async (host) => {
    const server = await RunningServer.start();
    const key = await server.addTenant('acme');
    const config = readConfig({ ACCOUNT_SYNC_HOST: 'localhost', ACCOUNT_SYNC_PORT: '0' });
    const { port } = new URL(await listen(server.app, config, async () => HOSTS));
    const request = openImport({ url: `http://${host}:${port}`, key }, NDJSON);
    request.on('error', () => {});
    request.write('{"account_id":"a"}\n');
    const [response] = await once(request, 'response');
    const [received] = await Promise.all([text(response), server.stop()]);
    expect(readAnswer(received).summary).toMatchObject({
      is_complete: false,
      problem: 'Record 1: The service is stopping. Send this record and those behind it again.',
    });
  },
);

it('a server listens on every available address of localhost', async () => {
  const server = await RunningServer.start();
  const config = readConfig({ ACCOUNT_SYNC_HOST: 'localhost', ACCOUNT_SYNC_PORT: '0' });
  // The first is reserved for documentation, so no machine has it.
  const url = await listen(server.app, config, async () => ['203.0.113.1', ...HOSTS]);
  const { port } = new URL(url);
  for (const host of HOSTS) expect((await fetch(`http://${host}:${port}/healthz`)).status).toBe(200);
  await server.stop();
});
