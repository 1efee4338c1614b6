import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { importing, ScriptedServer } from '../client/scripted-server.js';
import { freshDirectory, Service, start } from '../support/service.js';
import { forward } from './forward.js';
import { watchMemory } from './watch-memory.js';

const ROWS = 200_000;
const MOST_MIB = 150;

function* rows() {
  yield 'account_id,name,licenses\n';
  for (let row = 0; row < ROWS; row += 1) yield `account-${row},The name of account ${row},${row % 1_000}\n`;
}

// Only Linux shows the peak memory of another process.
it.skipIf(process.platform !== 'linux')(
  'an import needs little memory, however long the file is',
  async () => {
    const directory = await freshDirectory();
    const path = join(directory, 'large.csv');
    await pipeline(Readable.from(rows()), createWriteStream(path));
    const service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: directory });
    // The server responds immediately: a slower one would give the importer time to collect garbage.
    const pass = forward(service.url);
    const isImport = (url = '') => url.startsWith('/api/v2/accounts/import');
    const server = await ScriptedServer.start([
      (request, response) => (isImport(request.url) ? importing : pass)(request, response),
    ]);
    const { child, finished } = start(
      ['import', path, '--json', '--url', `http://127.0.0.1:${server.port}`],
      {
        ACCOUNT_SYNC_KEY: service.key,
      },
    );
    const memory = watchMemory(child.pid as number);
    const { status, stdout } = await finished;
    const peak = memory.end();
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { records: ROWS, created: ROWS }]);
    expect(peak).toBeGreaterThan(20);
    expect(peak).toBeLessThan(MOST_MIB);
    await server.stop();
    await service.stopAndRemove();
  },
);
