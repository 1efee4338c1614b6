import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { HostPolicy } from '../../dist/delivery/host-policy.js';
import { MessageSender } from '../../dist/delivery/post-message.js';
import { generateSecret } from '../../dist/domain/webhook.js';

const SECRET = generateSecret((bytes) => Buffer.alloc(bytes, 7));
const BODY = Buffer.from('{"type":"events","data":[]}');
const LOCAL = { address: '127.0.0.1', family: 4 };
const OK = 'HTTP/1.1 200 OK\r\n';

/** A receiver that answers a connection in its own way. `n` counts the connections. */
async function receive(
  answer: (socket: Socket, n: number) => void,
): Promise<{ port: number; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    answer(socket, sockets.length);
  });
  const port = await listen(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { port, sockets };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function senderFor(policy = new HostPolicy(['127.0.0.1'])): MessageSender {
  const sender = new MessageSender(policy, { answerMs: 300, bodyMs: 100 });
  onTestFinished(() => sender.close());
  return sender;
}

const send = (sender: MessageSender, url: string) =>
  sender.send(url, { id: 'msg_1', body: BODY }, [SECRET], Date.now());

/** Answers every request whose head and body have arrived in one piece. */
const always = (text: string) => (socket: Socket) => void socket.on('data', () => socket.write(text));

it.each([
  ['a private address', [LOCAL]],
  ['a private address beside a public one', [{ address: '93.184.215.14', family: 4 }, LOCAL]],
  ['a private address in a form of IPv6', [{ address: '::ffff:127.0.0.1', family: 6 }]],
])('a name that resolves to %s is not connected to', async (_what, addresses) => {
  const { port, sockets } = await receive(always(`${OK}content-length: 0\r\n\r\n`));
  const sender = senderFor(new HostPolicy([], async () => addresses));
  expect(await send(sender, `https://receiver.example:${port}/`)).toEqual({
    status: null,
    error: 'Its host resolves to a private address, which is not allowed.',
    tookMs: expect.any(Number),
    text: null,
    retryAfterMs: null,
  });
  expect(sockets).toEqual([]);
});

it('a name that resolves to another address a moment later is not connected to again', async () => {
  const { port, sockets } = await receive((socket) => socket.destroy());
  const answers = [[LOCAL], [{ address: '10.1.2.3', family: 4 }]];
  const policy = new HostPolicy(['127.0.0.0/8'], async () => answers.shift() ?? []);
  const sender = senderFor(policy);
  const errors = [];
  for (const _ of [1, 2]) errors.push((await send(sender, `https://rebound.example:${port}/`)).error);
  expect(errors).toEqual([
    'It closed the connection before it answered.',
    'Its host resolves to a private address, which is not allowed.',
  ]);
  expect(sockets).toHaveLength(1);
});

it('a certificate that no known authority has signed is not accepted', async () => {
  const file = (name: string) =>
    readFileSync(fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url)));
  const requests: unknown[] = [];
  const server = createHttpsServer({ cert: file('first.pem'), key: file('first.key') }, (request) => {
    requests.push(request.url);
  });
  const { error } = await send(senderFor(), `https://127.0.0.1:${await listen(server)}/`);
  expect(error).toMatch(/^Its certificate was not accepted \(UNABLE_TO_\w+\)\.$/);
  expect(requests).toEqual([]);
});

it.each([
  ['https', 'no HTTPS at all', /^It does not speak HTTPS \(\w+\)\.$/],
  ['http', 'HTTP/9 200 Maybe\r\n\r\n', /^Its answer is not valid HTTP \(HPE_\w+\)\.$/],
  [
    'http',
    `${OK}x: ${'y'.repeat(100_000)}\r\n\r\n`,
    /^Its answer is not valid HTTP \(HPE_HEADER_OVERFLOW\)\.$/,
  ],
])('an answer in another protocol is a failure: %s, %j', async (protocol, text, error) => {
  const { port } = await receive(always(text));
  const answer = await send(senderFor(), `${protocol}://127.0.0.1:${port}/`);
  expect(answer).toMatchObject({ status: null, error: expect.stringMatching(error) });
});

it('an answer whose head does not end is given up in time', async () => {
  const { port, sockets } = await receive((socket) => {
    socket.write(OK);
    const timer = setInterval(() => socket.write('x: y\r\n'), 20);
    socket.once('close', () => clearInterval(timer));
  });
  const { error, tookMs } = await send(senderFor(), `http://127.0.0.1:${port}/`);
  expect(error).toBe('There was no answer within 0.3 seconds.');
  expect(tookMs).toBeGreaterThanOrEqual(290);
  await expect.poll(() => sockets[0]?.destroyed).toBe(true);
});

it('an answer whose body does not end is taken, and its connection closed', async () => {
  const { port, sockets } = await receive((socket) => {
    socket.write(`${OK}\r\n`);
    const more = () => {
      while (!socket.destroyed && socket.write('x'.repeat(10_000)));
    };
    socket.on('drain', more);
    more();
  });
  const { status, error, text } = await send(senderFor(), `http://127.0.0.1:${port}/`);
  expect([status, error, text]).toEqual([200, null, 'x'.repeat(2_048)]);
  await expect.poll(() => sockets[0]?.destroyed).toBe(true);
});

it('an answer whose body stops in the middle is taken', async () => {
  const { port, sockets } = await receive(always(`${OK}content-length: 100\r\n\r\na\0b`));
  const { status, error, text } = await send(senderFor(), `http://127.0.0.1:${port}/`);
  expect([status, error, text]).toEqual([200, null, 'a\ufffdb']);
  await expect.poll(() => sockets[0]?.destroyed).toBe(true);
});

it('an answer may come after information about it', async () => {
  const { port } = await receive(always(`HTTP/1.1 103 Early Hints\r\n\r\n${OK}content-length: 2\r\n\r\nok`));
  expect(await send(senderFor(), `http://127.0.0.1:${port}/`)).toMatchObject({ status: 200, text: 'ok' });
});

it('a connection is used again; if the receiver has closed it meanwhile, a new one is', async () => {
  const answered = `${OK}content-length: 0\r\n\r\n`;
  const { port, sockets } = await receive((socket) => {
    let requests = 0;
    socket.on('data', () => {
      requests += 1;
      if (sockets.length === 1 && requests === 3) socket.resetAndDestroy();
      else socket.write(answered);
    });
  });
  const sender = senderFor();
  const connections: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    expect(await send(sender, `http://127.0.0.1:${port}/`)).toMatchObject({ status: 200, error: null });
    connections.push(sockets.length);
  }
  expect(connections).toEqual([1, 1, 2]);
});

it.each([
  ['120', 120_000],
  ['0', 0],
  ['-1', null],
  ['soon', null],
  ['Wed, 21 Oct 2026 07:28:00 GMT', null],
])('asks to be called again later: Retry-After: %s', async (header, expected) => {
  const { port } = await receive(
    always(`HTTP/1.1 503 Busy\r\nretry-after: ${header}\r\ncontent-length: 0\r\n\r\n`),
  );
  const { error, retryAfterMs } = await send(senderFor(), `http://127.0.0.1:${port}/`);
  expect([error, retryAfterMs]).toEqual(['It answered 503.', expected]);
});
