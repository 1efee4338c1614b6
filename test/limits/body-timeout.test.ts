import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { RunningServer } from '../http/running-server.js';

/** Long enough that a busy machine does not exceed it by accident. */
const TIMEOUT_MS = 800;

let server: RunningServer;
let key: string;
afterEach(() => server.stop());

async function start(): Promise<void> {
  server = await RunningServer.start({ parts: { bodyTimeoutMs: TIMEOUT_MS } });
  key = await server.addTenant('acme');
}

async function open(): Promise<Socket & { text: string }> {
  const port = server.app.server.listening
    ? (server.app.server.address() as { port: number }).port
    : new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port;
  const socket = Object.assign(connect(Number(port), '127.0.0.1'), { text: '' });
  socket.on('data', (chunk) => {
    socket.text += chunk;
  });
  await once(socket, 'connect');
  return socket;
}

const head = (path: string, bearer: string, length: number, ...others: string[]) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: a',
    `Authorization: Bearer ${bearer}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...others,
    '',
    '',
  ].join('\r\n');

const TIMED_OUT = [
  'HTTP/1.1 408 Request Timeout',
  'Content-Type: application/json; charset=utf-8',
  'Content-Length: 93',
  'Connection: close',
  'x-content-type-options: nosniff',
  'cache-control: no-store',
  'cross-origin-resource-policy: same-origin',
  '',
  '{"success":false,"errors":["The request took too long to arrive."],"errors_by_attributes":[]}',
].join('\r\n');

describe('a body that does not arrive', () => {
  it('gets 408 after the timeout', async () => {
    await start();
    const socket = await open();
    socket.write(`${head('/api/v1_1/account', key, 18)}{"account_id"`);
    await once(socket, 'close');
    expect(socket.text).toBe(TIMED_OUT);
  });

  it('gets 408 after the timeout, even if it arrives byte by byte', async () => {
    await start();
    const socket = await open();
    socket.on('error', () => {});
    socket.write(head('/api/v1_1/account', key, 1_000_000));
    const drops = setInterval(() => socket.write(' '), TIMEOUT_MS / 20);
    await once(socket, 'close');
    clearInterval(drops);
    expect(socket.text).toBe(TIMED_OUT);
  });

  it.each([
    [401, '/api/v1_1/account', []],
    [404, '/nowhere', []],
    [400, '/%zz', []],
    [417, '/api/v1_1/account', ['Expect: luck']],
  ])(
    'does not keep its connection open after the timeout if the request was rejected with %i',
    async (status, path, others) => {
      await start();
      const socket = await open();
      socket.write(head(path, 'none', 18, ...others));
      await once(socket, 'close');
      expect(socket.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(socket.text.endsWith(TIMED_OUT)).toBe(true);
    },
  );
});

describe('a connection that is idle between two requests', () => {
  it('stays open after the body timeout', async () => {
    await start();
    const socket = await open();
    const post = async () => {
      const before = socket.text.length;
      socket.write(`${head('/api/v1_1/account', key, 18)}{"account_id":"a"}`);
      while (!socket.text.endsWith('{"success":true}') || socket.text.length === before) {
        await once(socket, 'data');
      }
    };
    await post();
    const slow = await open();
    slow.write(head('/nowhere', 'none', 18));
    await once(slow, 'close');
    await post();
    socket.destroy();
  });
});

describe('a body of an operation that streams', () => {
  /** Responds with the number of bytes at the end of the body; `read` starts reading. */
  async function startStreaming(read: Promise<void> = Promise.resolve()): Promise<void> {
    await start();
    server.app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
      scope.post<{ Body: Readable }>('/stream', { config: { streams: true } }, async ({ body }) => {
        await read;
        let bytes = 0;
        for await (const chunk of body) bytes += chunk.length;
        return { bytes };
      });
    });
  }
  const streamHead = (length: number) => head('/stream', 'none', length);

  it('may take longer than the timeout while bytes arrive', async () => {
    await startStreaming();
    const socket = await open();
    socket.write(streamHead(50));
    const drops = setInterval(() => socket.write('x'), TIMEOUT_MS / 20);
    await once(socket, 'data');
    clearInterval(drops);
    expect(socket.text.endsWith('{"bytes":50}')).toBe(true);
    socket.destroy();
  });

  it('is ended if no bytes arrive within the timeout', async () => {
    await startStreaming();
    const socket = await open();
    socket.write(`${streamHead(50)}x`);
    await once(socket, 'close');
    expect(socket.text).toBe(TIMED_OUT);
  });

  it('is not ended while the server does not read it', async () => {
    let begin = () => {};
    await startStreaming(
      new Promise((resolve) => {
        begin = resolve;
      }),
    );
    const length = 1_000_000;
    const socket = await open();
    socket.write(`${streamHead(length)}${'x'.repeat(length)}`);
    const silent = await open();
    silent.write(head('/nowhere', 'none', 18));
    await once(silent, 'close');
    begin();
    await once(socket, 'data');
    expect(socket.text.endsWith(`{"bytes":${length}}`)).toBe(true);
    socket.destroy();
  });
});
