import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { head } from '../support/raw-connection.js';
import { AttackedService, PHASE_MS } from './attacked-service.js';
import { Trial } from './trial.js';

const ROUNDS = { short: 1, long: 10 };
const ACCOUNTS = 1_000;
/** The limit of streams of a tenant, in one process. */
const MAX_STREAMS = 100;

let service: AttackedService;
beforeAll(async () => {
  service = await AttackedService.start();
  const records = Array.from({ length: ACCOUNTS }, (_, i) => ({
    account_id: `large-${i}`,
    pad: 'x'.repeat(2_000),
  }));
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
  const response = await fetch(`${service.url}/api/v1_1/accounts`, {
    method: 'POST',
    headers,
    body: JSON.stringify(records),
  });
  expect(response.status).toBe(200);
});
afterAll(() => service.end());

/** Sends requests on many connections, and reads no responses. */
async function sendWithoutReading(count: number, request: string): Promise<void> {
  const connections = await service.connectMany(count);
  for (const connection of connections) {
    connection.socket.pause();
    connection.send(request);
    await pause(PHASE_MS / count);
  }
  await pause(PHASE_MS);
  for (const connection of connections) connection.close();
}

it('endures clients that request large pages and never read them', async () => {
  const trial = new Trial('Hostile: unread pages', ROUNDS);
  const page = head(`GET /api/v2/accounts?limit=${ACCOUNTS}`, ...service.authorizedHeaders);
  await trial.run(() => service.expectUnaffected(trial, () => sendWithoutReading(40, page.repeat(4))));
});

it('endures clients that open change streams and never read them', async () => {
  const trial = new Trial('Hostile: unread streams', ROUNDS);
  const stream = head('GET /api/v2/changes', ...service.authorizedHeaders, 'Accept: text/event-stream');
  await trial.run(() => service.expectUnaffected(trial, () => sendWithoutReading(MAX_STREAMS, stream)));
});

it('endures imports whose results are never read', async () => {
  const trial = new Trial('Hostile: imports with unread results', ROUNDS);
  const wrong = `${JSON.stringify({ account_id: 'a'.repeat(190), ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, 2 ** 60])) })}\n`;
  const body = wrong.repeat(2_000);
  const request = head(
    'POST /api/v2/accounts/import',
    ...service.authorizedHeaders,
    'Content-Type: application/x-ndjson',
    `Content-Length: ${100 * body.length}`,
  );
  await trial.run(() => service.expectUnaffected(trial, () => sendWithoutReading(10, request + body)));
});

it('accepts change streams up to its limit, rejects the others, and accepts new ones later', async () => {
  const trial = new Trial('Hostile: idle streams', ROUNDS);
  const stream = head(
    'GET /api/v2/changes?after=latest',
    ...service.authorizedHeaders,
    'Accept: text/event-stream',
  );
  await trial.run(() =>
    service.expectUnaffected(trial, async () => {
      const connections = await service.connectMany(2 * MAX_STREAMS);
      const statuses = await Promise.all(
        connections.map(async (connection) => {
          connection.send(stream);
          const [status] = await connection.waitForResponses(1, /\r\n\r\n/);
          return status;
        }),
      );
      expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_STREAMS);
      expect(statuses.filter((status) => status === 429)).toHaveLength(MAX_STREAMS);
      await pause(PHASE_MS);
      for (const connection of connections) connection.close();
    }),
  );
});
