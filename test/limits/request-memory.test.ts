import { afterEach, expect, it } from 'vitest';
import { RunningServer } from '../http/running-server.js';
import { head, RawConnection } from '../support/raw-connection.js';

const ROOM = 256 * 1024;
const PAUSED = '{"account_id":"slow","pad":"';

let server: RunningServer;
let url: string;
let key: string;
afterEach(() => server.stop());

async function start(maxHeldBytes: number, maxBodyBytes = 100_000): Promise<void> {
  const config = { maxBodyBytes };
  server = await RunningServer.start({ config, parts: { maxHeldBytes } });
  key = await server.addTenant('acme');
  url = await server.app.listen({ host: '127.0.0.1', port: 0 });
}

/** A request that has sent this many bytes of its body, and sends no more. */
async function begin(path: string, size: number): Promise<RawConnection> {
  const connection = await RawConnection.open(url);
  const others = [`Authorization: Bearer ${key}`, 'Content-Type: application/json'];
  connection.send(head(`POST ${path}`, 'Host: a', ...others, `Content-Length: ${size + 2}`));
  connection.send(PAUSED.padEnd(size, 'x'));
  return connection;
}

const connections = () =>
  new Promise<number>((resolve) => {
    server.app.server.getConnections((_error, count) => resolve(count));
  });

const TOO_MANY = 'Too many large bodies are arriving. Send the request again in a moment.';

it('at the limit, the largest incomplete bodies are rejected with 503', async () => {
  await start(ROOM);
  const small = await begin('/api/v1_1/account', 1_000);
  const large = await Promise.all([99_000, 98_000].map((size) => begin('/api/v1_1/account', size)));
  const last = await begin('/api/v1_1/account', 97_000);
  const [largest] = large as [RawConnection];
  expect(await largest.waitForResponses(1)).toEqual([503]);
  expect(largest.text).toContain('\r\nretry-after: 1\r\n');
  expect(JSON.parse(largest.body)).toEqual({ success: false, errors: [TOO_MANY], errors_by_attributes: [] });
  for (const connection of [small, last]) {
    connection.send('"}');
    expect(await connection.waitForResponses(1)).toEqual([200]);
  }
  for (const connection of [small, last, ...large]) connection.close();
});

it('a connection whose body was rejected serves the next request after the rest of the body', async () => {
  await start(ROOM);
  const connections = await Promise.all(
    [99_000, 98_000, 97_000].map((size) => begin('/api/v1_1/account', size)),
  );
  const [largest] = connections as [RawConnection];
  expect(await largest.waitForResponses(1)).toEqual([503]);
  largest.send(`"}${head('GET /healthz', 'Host: a')}`);
  expect(await largest.waitForResponses(2)).toEqual([503, 200]);
  for (const connection of connections) connection.close();
});

it('the memory of a body is free after it was read, rejected or interrupted', async () => {
  await start(ROOM);
  const pad = 'x'.repeat(90_000);
  for (let i = 0; i < 5; i += 1) {
    const stored = await server.post('/api/v1_1/account', key, { account_id: 'acme', pad });
    const rejected = await server.post('/api/v1_1/account', key, { account_id: 'acme', pad: pad + pad });
    expect([stored.statusCode, rejected.statusCode]).toEqual([200, 413]);
    const left = await begin('/api/v1_1/account', 90_000);
    left.close();
    await expect.poll(connections).toBe(0);
  }
  expect((await server.post('/api/v1_1/account', key, { account_id: 'beta', pad })).statusCode).toBe(200);
});

it('a body in chunks of one byte is read correctly', async () => {
  await start(ROOM);
  const body = JSON.stringify({ account_id: 'acme', pad: 'é'.repeat(20_000) });
  const chunks = [...Buffer.from(body).toString('latin1')].map((byte) => `1\r\n${byte}\r\n`).join('');
  const connection = await RawConnection.open(url);
  const others = [`Authorization: Bearer ${key}`, 'Content-Type: application/json'];
  connection.send(head('POST /api/v1_1/account', 'Host: a', ...others, 'Transfer-Encoding: chunked'));
  connection.send(`${chunks}0\r\n\r\n`);
  expect(await connection.waitForResponses(1)).toEqual([200]);
  connection.close();
  const tenant = await server.store.directory.findTenant({ name: 'acme' });
  const stored = await server.store.accounts.find(tenant?.id ?? 0, 'acme');
  expect(stored?.fields).toEqual({ pad: 'é'.repeat(20_000) });
});

it('a body without Content-Length is rejected as soon as it is too large', async () => {
  await start(ROOM);
  const connection = await RawConnection.open(url);
  const others = [`Authorization: Bearer ${key}`, 'Content-Type: application/json'];
  connection.send(head('POST /api/v1_1/account', 'Host: a', ...others, 'Transfer-Encoding: chunked'));
  const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
  connection.send(chunk.repeat(3));
  connection.send(chunk);
  expect(await connection.waitForResponses(1)).toEqual([413]);
  connection.close();
});
