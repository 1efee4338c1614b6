import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { RunningServer } from '../http/running-server.js';
import { head, RawConnection } from '../support/raw-connection.js';

/** More than the socket buffers of the operating system hold. */
const LARGE = 24 * 1024 * 1024;
const REQUEST = head('GET /large', 'Host: a');

let server: RunningServer;
let url: string;
afterEach(() => server.stop());

async function start(parts: { maxHeldBytes?: number; stalledTimeoutMs?: number }): Promise<void> {
  server = await RunningServer.start({ parts });
  server.app.get('/large', async () => 'x'.repeat(LARGE));
  server.app.get('/some', async () => 'x'.repeat(100_000));
  url = await server.app.listen({ host: '127.0.0.1', port: 0 });
}

/** Sends a request, and reads only the beginning of the response. */
async function askOnly(requests = REQUEST): Promise<RawConnection> {
  const connection = await RawConnection.open(url);
  connection.send(requests);
  await once(connection.socket, 'data');
  connection.socket.pause();
  return connection;
}

const connections = () =>
  new Promise<number>((resolve) => {
    server.app.server.getConnections((_error, count) => resolve(count));
  });

it('at the limit, unread responses are closed, and clients that read get theirs', async () => {
  await start({ maxHeldBytes: 2.5 * LARGE });
  const idle = [await askOnly(), await askOnly()];
  expect(await connections()).toBe(2);
  for (let i = 0; i < 4; i += 1) {
    const answer = await fetch(`${url}/large`, { headers: { connection: 'close' } });
    expect((await answer.text()).length).toBe(LARGE);
  }
  await expect.poll(connections).toBe(1);
  for (const connection of idle) connection.close();
});

it('a response is not counted after its connection closes, also with pipelined requests', async () => {
  await start({ maxHeldBytes: 1.5 * LARGE });
  for (let i = 0; i < 4; i += 1) {
    const connection = await askOnly(REQUEST.repeat(2));
    connection.close();
  }
  await expect.poll(connections).toBe(0);
  const held = await askOnly();
  const answer = await fetch(`${url}/healthz`, { headers: { connection: 'close' } });
  expect([answer.status, await connections()]).toEqual([200, 1]);
  held.close();
});

it('many pipelined requests on one connection cause no warning', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => warnings.push(message);
  process.on('warning', note);
  await start({});
  const connection = await RawConnection.open(url);
  connection.send(
    head('GET /some', 'Host: a').repeat(20) + head('GET /healthz', 'Host: a', 'Connection: close'),
  );
  await connection.closed;
  process.off('warning', note);
  expect(connection.statuses).toEqual(Array(21).fill(200));
  expect(warnings).toEqual([]);
});

it('a response that the client does not read for a time is closed', async () => {
  await start({ stalledTimeoutMs: 300 });
  const connection = await askOnly();
  await expect.poll(connections).toBe(0);
  connection.close();
});

it('a response that the client reads slowly is not closed', async () => {
  await start({ stalledTimeoutMs: 600 });
  const connection = await askOnly();
  const drops = setInterval(() => {
    connection.socket.resume();
    setImmediate(() => connection.socket.pause());
  }, 20);
  await expect.poll(() => connection.text.length).toBeGreaterThan(LARGE);
  clearInterval(drops);
  connection.close();
});
