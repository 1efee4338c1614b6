import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { importing, ScriptedServer } from '../client/scripted-server.js';
import { freshDirectory, Service, start } from '../support/service.js';
import { forward } from './forward.js';
import { watchMemory } from './watch-memory.js';

const RECORDS = 60_000;
const MOST_MIB = 160;

/** A state after every record, as some taps write them, each with the progress of many partitions. */
function* messages() {
  const properties = { account_id: {}, name: {}, licenses: {} };
  yield line({ type: 'SCHEMA', stream: 'accounts', schema: { properties }, key_properties: [] });
  const partitions = Array.from({ length: 50 }, (_, number) => ({ context: { region: `region-${number}` } }));
  for (let number = 1; number <= RECORDS; number += 1) {
    const record = {
      account_id: `account-${number}`,
      name: `The name of account ${number}`,
      licenses: number % 1_000,
    };
    yield line({ type: 'RECORD', stream: 'accounts', record });
    yield line({ type: 'STATE', value: { number, partitions } });
  }
}

function line(message: object): string {
  return `${JSON.stringify(message)}\n`;
}

it.skipIf(process.platform !== 'linux')(
  'a Singer target needs little memory, however much the tap sends',
  async () => {
    const directory = await freshDirectory();
    const service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: directory });
    // The server responds immediately: a slower one would give the target time to collect garbage.
    const pass = forward(service.url);
    const isImport = (url = '') => url.startsWith('/api/v2/accounts/import');
    const server = await ScriptedServer.start([
      (request, response) => (isImport(request.url) ? importing : pass)(request, response),
    ]);
    const { child, finished } = start(
      ['singer', '--stream', 'accounts', '--rejects', join(directory, 'rejects.ndjson')],
      { ACCOUNT_SYNC_URL: `http://127.0.0.1:${server.port}`, ACCOUNT_SYNC_KEY: service.key },
    );
    const memory = watchMemory(child.pid as number);
    await pipeline(Readable.from(messages()), child.stdin as NodeJS.WritableStream);
    const { status, stdout } = await finished;
    const peak = memory.end();
    expect([status, JSON.parse(stdout.trim().split('\n').at(-1) ?? '').number]).toEqual([0, RECORDS]);
    expect(peak).toBeGreaterThan(20);
    expect(peak).toBeLessThan(MOST_MIB);
    await server.stop();
    await service.stop();
    await rm(directory, { recursive: true });
  },
);
