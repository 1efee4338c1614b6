import { type AddressInfo, connect } from 'node:net';
import { fastify } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { BodyThrottle } from '../../dist/http/body/throttle-body.js';

it.each([
  ['with a length', `Content-Length: 5000000\r\n\r\n${' '.repeat(5_000_000)}`],
  [
    'in chunks',
    `Transfer-Encoding: chunked\r\n\r\n${`10000\r\n${' '.repeat(0x10000)}\r\n`.repeat(80)}0\r\n\r\n`,
  ],
])(
  'a body that the handler does not need, %s, is drained, and the next request gets a response',
  async (_how, rest) => {
    const app = fastify();
    new BodyThrottle().drainUnread(app);
    const readers: number[] = [];
    app.get('/', async () => 'served');
    app.addHook('onResponse', async ({ raw }) => {
      // Without a listener, Node reads the body itself.
      readers.push(raw.listenerCount('data'));
    });
    await app.listen({ port: 0 });
    onTestFinished(async () => void (await app.close()));
    const socket = connect((app.server.address() as AddressInfo).port);
    onTestFinished(() => void socket.destroy());
    let answers = '';
    socket.on('data', (chunk) => {
      answers += chunk;
    });
    socket.write(`GET / HTTP/1.1\r\nHost: a\r\n${rest}GET / HTTP/1.1\r\nHost: a\r\n\r\n`);
    await expect.poll(() => answers.match(/200 OK/g)).toHaveLength(2);
    expect(readers).toEqual([1, 0]);
  },
);
