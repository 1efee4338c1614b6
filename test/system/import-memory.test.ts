import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importResponse, recordsOf, ScriptedServer } from '../client/scripted-server.js';
import { freshDirectory, Service, start } from '../support/service.js';
import { forward } from './forward.js';
import { watchMemory } from './watch-memory.js';

const ROWS = 300_000;
const MOST_MIB = 150;

/** Values that are converted, all of them different, and at the end an account that was in the first row. */
function* rows() {
  yield 'account_id;name;licenses;custom_External_Created_On;custom_Is_Valid\n';
  for (let row = 0; row < ROWS; row += 1) {
    const id = row === ROWS - 1 ? 'ACCOUNT-0' : `account-${row}`;
    const day = `${(row % 28) + 1}.${(row % 12) + 1}.${1900 + (row % 200)}`;
    yield `${id};The name of account ${row};${row.toLocaleString('en')};${day};${row % 3 ? 'Yes' : 'No'}\n`;
  }
}

// Only Linux shows the peak memory of another process.
describe.skipIf(process.platform !== 'linux')('an import of a long file needs little memory', () => {
  let service: Service;
  let server: ScriptedServer;
  let directory: string;
  let first: unknown;
  beforeAll(async () => {
    directory = await freshDirectory();
    service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
    // The server responds immediately: a slower one would give the importer time to collect garbage.
    const pass = forward(service.url);
    server = await ScriptedServer.start([
      async (request, response) => {
        if (!request.url?.startsWith('/api/v2/accounts/import')) return pass(request, response);
        const records = await recordsOf(request);
        first ??= records[0];
        response.writeHead(200).end(importResponse(records));
      },
    ]);
  });
  afterAll(async () => {
    await server.stop();
    await service.stopAndRemove();
    await rm(directory, { recursive: true });
  });

  it.each(['from a file', 'from a pipe'])('%s', async (from) => {
    first = undefined;
    const isPipe = from === 'from a pipe';
    const path = isPipe ? '-' : join(directory, 'large.csv');
    if (!isPipe) await pipeline(Readable.from(rows()), createWriteStream(path));
    const args = ['import', path, '--json', '--url', `http://127.0.0.1:${server.port}`];
    const { child, finished } = start(args, { ACCOUNT_SYNC_KEY: service.key });
    const memory = watchMemory(child.pid as number);
    if (isPipe) await pipeline(Readable.from(rows()), child.stdin as Writable);
    const { status, stdout } = await finished;
    const peak = memory.end();
    expect([status, JSON.parse(stdout)]).toMatchObject([
      0,
      { records: ROWS, created: ROWS, repeated_ids: { same: 0, other_spelling: 1 } },
    ]);
    expect(first).toEqual({
      account_id: 'account-0',
      name: 'The name of account 0',
      licenses: '0',
      custom_External_Created_On: '1900-01-01',
      custom_Is_Valid: false,
    });
    expect(peak).toBeGreaterThan(20);
    expect(peak).toBeLessThan(MOST_MIB);
  });
});
