import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { streamLines } from '../../dist/http/v2/stream-lines.js';

const app = Fastify();
afterEach(() => app.close());

it('a client that does not read counts as disconnected', async () => {
  let sent = 0;
  const ended = new Promise<void>((resolve) => {
    async function* lines() {
      try {
        for (;;) {
          sent += 1;
          yield `${JSON.stringify('x'.repeat(100_000))}\n`;
        }
      } finally {
        resolve();
      }
    }
    app.get('/', async (request, reply) => {
      await streamLines(request, reply, 'test', lines(), 200);
      return reply;
    });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(socket, 'connect');
  socket.pause();
  await ended;
  expect(sent).toBeGreaterThan(1);
  // What was sent before arrives, and then the connection is closed.
  socket.resume();
  await once(socket, 'close');
});
