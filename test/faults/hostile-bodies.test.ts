import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { head } from '../support/raw-connection.js';
import { AttackedService, PHASE_MS } from './attacked-service.js';
import { Trial } from './trial.js';

const ROUNDS = { short: 1, long: 10 };
const MIB = 1024 * 1024;

let service: AttackedService;
beforeAll(async () => {
  service = await AttackedService.start();
});
afterAll(() => service.end());

interface Hostile {
  readonly body: () => string | Buffer;
  readonly status: number;
  readonly message: string;
  readonly path?: string;
  readonly encoding?: string;
}

const SINGLE = '/api/v1_1/account';
const BATCH = '/api/v1_1/accounts';
const NOT_UTF8 = 'The body is not valid UTF-8.';
const pairs = (count: number, pair: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => pair(i));
const number = (text: string) => () => `{"account_id":"hostile","x":${text}}`;
const notAnInteger = 'Account hostile, x has invalid integer value.';

const BODIES: Readonly<Record<string, Hostile>> = {
  '100,000 levels': {
    body: () => '['.repeat(100_000) + ']'.repeat(100_000),
    status: 400,
    message: 'The body may not be nested deeper than 32 levels.',
  },
  'a million keys': {
    body: () => `{${pairs(1_000_000, (i) => `"${i}":1`).join()}}`.slice(0, 10 * MIB),
    status: 400,
    message: 'An object in the body may not have more than 1000 keys.',
  },
  'a million records': {
    path: BATCH,
    body: () => `[${Array(1_000_000).fill('{}').join()}]`,
    status: 400,
    message: 'The body may not hold more than 200000 objects and arrays.',
  },
  '150,000 records': {
    path: BATCH,
    body: () => `[${Array(150_000).fill('{}').join()}]`,
    status: 413,
    message: 'A batch may not hold more than 5000 records.',
  },
  'five million numbers': {
    path: BATCH,
    body: () => `[${Array(5_000_000).fill(1).join()}]`,
    status: 400,
    message: 'The body may not hold more than 1048576 values.',
  },
  '10 MB of invalid JSON': {
    body: () => `[${Array(900_000).fill('"12345678"').join()}}`,
    status: 400,
    message: 'The body is not valid JSON.',
  },
  'the same key a million times': {
    body: () => `{${Array(1_000_000).fill('"a":1').join()}}`,
    status: 400,
    message: 'An object in the body may not have more than 1000 keys.',
  },
  'the key __proto__': {
    body: () => '{"account_id":"hostile","x":{"__proto__":{"account_id":"b"}}}',
    status: 400,
    message: 'The body may not contain the key __proto__.',
  },
  '1e400': { body: number('1e400'), status: 400, message: 'Account hostile, x has invalid decimal value.' },
  'an integer of 400 digits': {
    body: number('9'.repeat(400)),
    status: 400,
    message: 'Account hostile, x has invalid decimal value.',
  },
  'an integer of 20 digits': { body: number('9'.repeat(20)), status: 400, message: notAnInteger },
  'a number of 10 MB': {
    body: number('9'.repeat(10_000_000)),
    status: 400,
    message: 'Account hostile, x has invalid decimal value.',
  },
  'invalid UTF-8': { body: () => Buffer.from([0x22, 0xff, 0x22]), status: 400, message: NOT_UTF8 },
  'UTF-16': {
    body: () => Buffer.from('\uFEFF{"account_id":"hostile"}', 'utf16le'),
    status: 400,
    message: NOT_UTF8,
  },
  gzip: {
    body: () => gzipSync('{"account_id":"hostile"}'),
    encoding: 'gzip',
    status: 415,
    message: 'The Content-Encoding gzip is not supported: send the body uncompressed.',
  },
  'a bomb of 64 MiB': {
    body: () => gzipSync(gzipSync(Buffer.alloc(64 * MIB))),
    encoding: 'gzip, gzip',
    status: 415,
    message: 'The Content-Encoding gzip, gzip is not supported: send the body uncompressed.',
  },
  'gzip without Content-Encoding': { body: () => gzipSync('{}'), status: 400, message: NOT_UTF8 },
};

it('a baseline: a valid request after the other, as fast as possible', async () => {
  const trial = new Trial('Hostile: valid requests, for comparison', ROUNDS);
  const body = '{"account_id":"ordinary"}';
  const others = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  const request = head(`POST ${SINGLE}`, ...service.authorizedHeaders, ...others);
  await trial.run(() =>
    service.expectUnaffected(trial, async () => {
      const until = performance.now() + PHASE_MS;
      do {
        const connection = await service.connect();
        connection.send(request + body);
        expect(await connection.waitForResponses(1)).toEqual([200]);
        connection.close();
      } while (performance.now() < until);
    }),
  );
});

describe('a hostile body', () => {
  it.each(Object.entries(BODIES))('of %s is rejected, and stores nothing', async (name, hostile) => {
    const trial = new Trial(`Hostile: body of ${name}`, ROUNDS);
    const { path = SINGLE, status, message, encoding } = hostile;
    const bytes = Buffer.from(hostile.body());
    const others = ['Content-Type: application/json', `Content-Length: ${bytes.length}`];
    if (encoding !== undefined) others.push(`Content-Encoding: ${encoding}`);
    const request = head(`POST ${path}`, ...service.authorizedHeaders, ...others);
    trial.figures['sent, KB'] = Math.ceil(bytes.length / 1_000);
    await trial.run(() =>
      service.expectUnaffected(trial, async () => {
        const until = performance.now() + PHASE_MS;
        do {
          const connection = await service.connect();
          connection.send(request);
          connection.send(bytes);
          expect(await connection.waitForResponses(1)).toEqual([status]);
          expect(JSON.parse(connection.body).errors).toEqual([message]);
          connection.close();
        } while (performance.now() < until);
        expect(await service.find('hostile')).toBe(404);
      }),
    );
  });
});

const LINES = 'Content-Type: application/x-ndjson';

/** Sends the same bytes on `count` imports for the length of an attack, and until all of them have a response. */
async function importEndlessly(count: number, bytes: Buffer): Promise<void> {
  const connections = await service.connectMany(count);
  const until = performance.now() + PHASE_MS;
  await Promise.all(
    connections.map(async (connection) => {
      connection.send(
        head(
          'POST /api/v2/accounts/import?dry_run=true',
          ...service.authorizedHeaders,
          LINES,
          'Transfer-Encoding: chunked',
        ),
      );
      const chunk = Buffer.from(`${bytes.length.toString(16)}\r\n${bytes.toString('latin1')}\r\n`, 'latin1');
      // A busy machine may need longer to send so much that the response begins; a body that stops gets 408.
      const isAttacking = () => performance.now() < until || connection.statuses.length === 0;
      while (isAttacking() && !connection.socket.destroyed) {
        if (!connection.send(chunk)) await pause(5);
      }
      expect(await connection.waitForResponses(1, /\r\n\r\n/)).toEqual([200]);
      connection.close();
    }),
  );
}

describe('an import without an end', () => {
  it('of one line on each of many connections is not buffered', async () => {
    const trial = new Trial('Hostile: endless lines of imports', ROUNDS);
    const bytes = Buffer.alloc(64 * 1024, 'x');
    await trial.run(() => service.expectUnaffected(trial, () => importEndlessly(20, bytes)));
  });

  it('of lines is processed as the lines arrive', async () => {
    const trial = new Trial('Hostile: endless import', ROUNDS);
    const bytes = Buffer.from(
      `${JSON.stringify({ account_id: 'endless', pad: 'x'.repeat(200) })}\n`.repeat(10),
    );
    await trial.run(() => service.expectUnaffected(trial, () => importEndlessly(1, bytes)));
  });
});
