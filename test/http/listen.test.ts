import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { listen } from '../../dist/cli/listen.js';
import { readConfig } from '../../dist/config.js';
import { NDJSON, openImport, readAnswer } from './import-request.js';
import { RunningServer } from './running-server.js';

// Only Linux has more than one address on its loopback interface from the start.
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
    const [told] = await Promise.all([text(response), server.stop()]);
    expect(readAnswer(told).summary).toMatchObject({
      is_complete: false,
      problem: 'Record 1: The service is stopping. Send this record and those behind it again.',
    });
  },
);
