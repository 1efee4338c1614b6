import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { head, type RawConnection } from '../support/raw-connection.js';
import { AttackedService, PHASE_MS } from './attacked-service.js';
import { Trial } from './trial.js';

const ROUNDS = { short: 1, long: 10 };
const MANY = 400;
const JSON_BODY = 'Content-Type: application/json';

let service: AttackedService;
beforeAll(async () => {
  service = await AttackedService.start();
});
afterAll(() => service.end());

/** Sends some bytes on each connection about once a second for the length of an attack, then closes them. */
async function sendSlowly(
  connections: readonly RawConnection[],
  bytesAt: (n: number) => string,
): Promise<void> {
  const until = performance.now() + PHASE_MS;
  for (let n = 0; performance.now() < until; n += 1) {
    for (let i = n % 20; i < connections.length; i += 20) connections[i]?.send(bytesAt(n));
    await pause(50);
  }
  for (const connection of connections) connection.close();
}

const close = (connections: readonly RawConnection[]) => {
  for (const connection of connections) connection.close();
};

it('endures connections that never send anything', async () => {
  const trial = new Trial('Hostile: silent connections', ROUNDS);
  await trial.run(() =>
    service.expectUnaffected(trial, async () => {
      const connections = await service.connectMany(MANY);
      await pause(PHASE_MS);
      close(connections);
    }),
  );
});

it('endures headers that never end', async () => {
  const trial = new Trial('Hostile: slow headers', ROUNDS);
  await trial.run(() =>
    service.expectUnaffected(trial, async () => {
      const connections = await service.connectMany(MANY);
      for (const connection of connections) connection.send('POST /api/v1_1/account HTTP/1.1\r\nHost: a\r\n');
      await sendSlowly(connections, (n) => `X-${n}: 1\r\n`);
      for (const { text } of connections) expect(text).toBe('');
    }),
  );
});

it.each([
  ['slow bodies', 10, '{"account_id":"never'],
  ['slow bodies of 4 MiB', 4 * 1024 * 1024, '{"account_id":"never'],
])('endures %s', async (name, bytes, start) => {
  const trial = new Trial(`Hostile: ${name}`, ROUNDS);
  const request = head(
    'POST /api/v1_1/account',
    ...service.authorizedHeaders,
    JSON_BODY,
    'Content-Length: 9000000',
  );
  await trial.run(() =>
    service.expectUnaffected(trial, async () => {
      const connections = await service.connectMany(bytes > 1_000 ? MANY / 4 : MANY);
      for (const connection of connections) connection.send(request + start.padEnd(bytes, 'x'));
      await sendSlowly(connections, () => 'x');
      for (const { statuses } of connections) expect([[], [503]]).toContainEqual(statuses);
      expect(await service.find('never')).toBe(404);
    }),
  );
});

it('endures clients that close their half of the connection before the response', async () => {
  const trial = new Trial('Hostile: half-closed connections', ROUNDS);
  const body = '{"account_id":"half"}';
  const request = head(
    'POST /api/v1_1/account',
    ...service.authorizedHeaders,
    JSON_BODY,
    `Content-Length: ${body.length}`,
  );
  await trial.run(() =>
    service.expectUnaffected(trial, async () => {
      const connections = await service.connectMany(MANY);
      for (const [i, connection] of connections.entries()) {
        connection.socket.end((request + body).slice(0, i % 2 === 0 ? undefined : -5));
      }
      await Promise.all(connections.map(({ closed }) => closed));
    }),
  );
});

it('endures a flood of pipelined requests', async () => {
  const trial = new Trial('Hostile: pipelining', ROUNDS);
  const flood = head('GET /healthz', 'Host: a').repeat(2_000);
  await trial.run(() =>
    service.expectUnaffected(trial, async () => {
      const connections = await service.connectMany(4);
      await Promise.all(
        connections.map(async (connection) => {
          connection.send(flood);
          expect(new Set(await connection.waitForResponses(2_000))).toEqual(new Set([200]));
        }),
      );
      // Clients that read no responses get no further ones.
      for (const { socket } of connections) socket.pause();
      for (const connection of connections) connection.send(Buffer.from(flood.repeat(10)));
      await pause(PHASE_MS);
      close(connections);
    }),
  );
});

it('endures thousands of aborted requests', async () => {
  const trial = new Trial('Hostile: cancelled requests', ROUNDS);
  const list = head('GET /api/v2/accounts?limit=1000', ...service.authorizedHeaders);
  const write = head(
    'POST /api/v1_1/account',
    ...service.authorizedHeaders,
    JSON_BODY,
    'Content-Length: 100',
  );
  await trial.run(() =>
    service.expectUnaffected(trial, async () => {
      const until = performance.now() + PHASE_MS;
      do {
        const connections = await service.connectMany(100);
        for (const [i, connection] of connections.entries()) connection.send(i % 2 === 0 ? list : write);
        await pause(1);
        close(connections);
      } while (performance.now() < until);
    }),
  );
});

it('endures clients that send Expect: 100-continue and never the body', async () => {
  const trial = new Trial('Hostile: Expect without a body', ROUNDS);
  const expecting = ['Content-Length: 100', 'Expect: 100-continue', JSON_BODY];
  const authorized = head('POST /api/v1_1/account', ...service.authorizedHeaders, ...expecting);
  const unknown = head('POST /api/v1_1/account', 'Host: a', ...expecting);
  await trial.run(() =>
    service.expectUnaffected(trial, async () => {
      const connections = await service.connectMany(MANY);
      for (const [i, connection] of connections.entries())
        connection.send(i % 2 === 0 ? authorized : unknown);
      await Promise.all(
        connections.map(async (connection, i) => {
          expect(await connection.waitForResponses(1, /\r\n\r\n/)).toEqual([i % 2 === 0 ? 100 : 401]);
        }),
      );
      await pause(PHASE_MS);
      close(connections);
    }),
  );
});

it.each([
  ['authorized', 'POST /api/v1_1/account', 413],
  ['unknown', 'POST /api/v1_1/account', 401],
  ['unused', 'GET /healthz', 200],
])('endures a body without an end, %s', async (kind, line, status) => {
  const trial = new Trial(`Hostile: endless body, ${kind}`, ROUNDS);
  const headers = kind === 'authorized' ? service.authorizedHeaders : ['Host: a'];
  const request = head(line, ...headers, JSON_BODY, 'Transfer-Encoding: chunked');
  const chunk = Buffer.from(`10000\r\n${' '.repeat(0x10000)}\r\n`);
  await trial.run(() =>
    service.expectUnaffected(trial, async () => {
      const connection = await service.connect();
      connection.send(request);
      const until = performance.now() + PHASE_MS;
      let sent = 0;
      while (performance.now() < until || sent < 200) {
        if (!connection.send(chunk)) await new Promise((resolve) => connection.socket.once('drain', resolve));
        sent += 1;
      }
      expect(await connection.waitForResponses(1)).toEqual([status]);
      connection.close();
    }),
  );
});

it('endures a body in chunks of one byte', async () => {
  const trial = new Trial('Hostile: chunks of one byte', ROUNDS);
  const request = head(
    'POST /api/v1_1/account',
    ...service.authorizedHeaders,
    JSON_BODY,
    'Transfer-Encoding: chunked',
  );
  const chunks = Buffer.from('1\r\n \r\n'.repeat(2_000));
  await trial.run(() =>
    service.expectUnaffected(trial, async () => {
      const connection = await service.connect();
      connection.send(request);
      const until = performance.now() + PHASE_MS;
      while (performance.now() < until) {
        if (!connection.send(chunks))
          await new Promise((resolve) => connection.socket.once('drain', resolve));
      }
      connection.close();
    }),
  );
});
