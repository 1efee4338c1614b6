import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FastifyInstance, fastify } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { HttpConnections } from '../../dist/http/connection/http-connections.js';

/** More than the socket buffers of the operating system hold. */
const LARGE_BYTES = 32 * 1024 * 1024;
const SERVED_LAST = /^HTTP\/1.1 200 OK(?=.*\r\nconnection: close\r\n).*\r\n\r\nserved$/is;
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

async function listening(graceMs: number, answer: () => unknown): Promise<FastifyInstance> {
  const connections = new HttpConnections(graceMs);
  const app = fastify({
    return503OnClosing: false,
    serverFactory: (handler) => createServer(connections.serving(handler)),
  });
  connections.attach(app);
  app.get('/', async () => answer());
  await app.listen({ port: 0 });
  onTestFinished(async () => void (await app.close()));
  return app;
}

function connectTo(app: FastifyInstance): Socket {
  return connect((app.server.address() as AddressInfo).port);
}

it('lets a slow client read the whole response while it stops', async () => {
  const app = await listening(0, () => Buffer.alloc(LARGE_BYTES));
  const socket = connectTo(app);
  socket.write(GET);
  // The response has started, and waits for the client to read.
  await once(socket, 'readable');
  const closed = app.close();
  await new Promise((resolve) => setImmediate(resolve));
  expect((await text(socket)).length).toBeGreaterThan(LARGE_BYTES);
  await closed;
});

it('sends Connection: close in the response to a request under way', async () => {
  let release = () => {};
  const app = await listening(0, () => new Promise((resolve) => (release = () => resolve('served'))));
  const socket = connectTo(app);
  const begun = once(app.server, 'request');
  socket.write(GET);
  await begun;
  const closed = app.close();
  await new Promise((resolve) => setImmediate(resolve));
  release();
  expect(await text(socket)).toMatch(SERVED_LAST);
  await closed;
});

it('accepts connections during the grace period, and closes each after its response', async () => {
  const app = await listening(1_000, () => 'served');
  const idle = connectTo(app);
  await once(idle, 'connect');
  const closed = app.close();
  const late = connectTo(app);
  late.write(GET);
  expect(await text(late)).toMatch(SERVED_LAST);
  idle.write(GET);
  expect(await text(idle)).toMatch(SERVED_LAST);
  await closed;
});

it('serves every connection that was made before the listener closes, although it accepts one per turn', async () => {
  const app = await listening(0, () => 'served');
  const { port, address } = app.server.address() as AddressInfo;
  const sockets = Array.from({ length: 30 }, () => connect(port, address));
  for (const socket of sockets) socket.write(GET);
  const answers = sockets.map((socket) => text(socket));
  await app.close();
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(SERVED_LAST);
});

it('waits for the rest of a request on a connection that was used before', async () => {
  const app = await listening(0, () => 'served');
  const socket = connectTo(app);
  socket.write(GET);
  await once(socket, 'data');
  socket.write(GET.slice(0, 20));
  // When another request has its response, these bytes have been read, too.
  const other = connectTo(app);
  other.write(GET);
  await once(other, 'data');
  const closed = app.close();
  // Idle connections are closed, this one is not.
  await text(other);
  socket.write(GET.slice(20));
  expect(await text(socket)).toMatch(SERVED_LAST);
  await closed;
});

/** Waits some turns of the event loop, in which all pending work runs. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
}

/** A server that gets pipelined requests on one connection, and records which of them it has started and finished. */
async function askedAtOnce(requests: number) {
  const log: string[] = [];
  const finish: (() => void)[] = [];
  const app = await listening(0, () => {
    const n = finish.length;
    log.push(`begin ${n}`);
    return new Promise((resolve) => {
      finish.push(() => {
        log.push(`end ${n}`);
        resolve('served');
      });
    });
  });
  const accepted = once(app.server, 'connection');
  const socket = connectTo(app).on('error', () => {});
  socket.write(GET.repeat(requests));
  const [ours] = (await accepted) as [Socket];
  await expect.poll(() => finish.length).toBe(1);
  return { socket, ours, log, finish };
}

it('serves all pipelined requests of one connection, one at a time', async () => {
  const { socket, log, finish } = await askedAtOnce(3);
  for (let n = 0; n < 3; n += 1) {
    await expect.poll(() => finish.length).toBe(n + 1);
    finish[n]?.();
  }
  let answers = '';
  for await (const chunk of socket) {
    answers += chunk;
    if (answers.split('served').length === 4) break;
  }
  expect(log).toEqual(['begin 0', 'end 0', 'begin 1', 'end 1', 'begin 2', 'end 2']);
});

it('does not serve requests that were pipelined after one whose response cannot be sent', async () => {
  const { ours, log, finish } = await askedAtOnce(2);
  const closed = once(ours, 'close');
  ours.destroy();
  await closed;
  finish[0]?.();
  await someTurns();
  expect(log).toEqual(['begin 0', 'end 0']);
});

it('does not read from a connection while one of its requests waits for another', async () => {
  const requests = 20_000;
  const { ours } = await askedAtOnce(requests);
  await someTurns();
  expect(ours.bytesRead).toBeLessThan((requests * GET.length) / 4);
  ours.destroy();
});
