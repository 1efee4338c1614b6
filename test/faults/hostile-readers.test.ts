import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { head } from '../support/raw-connection.js';
import { AttackedService, PHASE_MS } from './attacked-service.js';
import { Trial } from './trial.js';

const ROUNDS = { short: 1, long: 10 };
const ACCOUNTS = 1_000;
/** Of a tenant, in one process. */
const MAX_STREAMS = 100;

let service: AttackedService;
beforeAll(async () => {
  service = await AttackedService.start();
  const records = Array.from({ length: ACCOUNTS }, (_, i) => ({
    account_id: `large-${i}`,
    pad: 'x'.repeat(2_000),
  }));
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${service.url}/api/v1_1/accounts`, {
    method: 'POST',
    headers,
    body: JSON.stringify(records),
  });
  expect(answer.status).toBe(200);
});
afterAll(() => service.end());

/** Asks on many connections, and takes nothing of the answers. */
async function askWithoutReading(count: number, request: string): Promise<void> {
  const connections = await service.connectMany(count);
  for (const connection of connections) {
    connection.socket.pause();
    connection.send(request);
    await pause(PHASE_MS / count);
  }
  await pause(PHASE_MS);
  for (const connection of connections) connection.close();
}

it('endures readers of large pages who never read', async () => {
  const trial = new Trial('Hostile: pages that nobody reads', ROUNDS);
  const page = head(`GET /api/v2/accounts?limit=${ACCOUNTS}`, ...service.admitted);
  await trial.run(() => service.endures(trial, () => askWithoutReading(40, page.repeat(4))));
});

it('endures readers of changes who never read', async () => {
  const trial = new Trial('Hostile: streams that nobody reads', ROUNDS);
  const stream = head('GET /api/v2/changes', ...service.admitted, 'Accept: text/event-stream');
  await trial.run(() => service.endures(trial, () => askWithoutReading(MAX_STREAMS, stream)));
});

it('endures importers who never read what became of their records', async () => {
  const trial = new Trial('Hostile: imports whose answers nobody reads', ROUNDS);
  const wrong = `${JSON.stringify({ account_id: 'a'.repeat(190), ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, 2 ** 60])) })}\n`;
  const body = wrong.repeat(2_000);
  const request = head(
    'POST /api/v2/accounts/import',
    ...service.admitted,
    'Content-Type: application/x-ndjson',
    `Content-Length: ${100 * body.length}`,
  );
  await trial.run(() => service.endures(trial, () => askWithoutReading(10, request + body)));
});

it('keeps as many streams of changes as it says, tells the others, and has room again later', async () => {
  const trial = new Trial('Hostile: idle streams', ROUNDS);
  const stream = head('GET /api/v2/changes?after=latest', ...service.admitted, 'Accept: text/event-stream');
  await trial.run(() =>
    service.endures(trial, async () => {
      const connections = await service.connectMany(2 * MAX_STREAMS);
      const statuses = await Promise.all(
        connections.map(async (connection) => {
          connection.send(stream);
          const [status] = await connection.answered(1, /\r\n\r\n/);
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
