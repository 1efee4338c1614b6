import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { RunningServer } from './running-server.js';

let server: RunningServer;
afterEach(() => server.stop());

const operations = [
  ['single', '/api/v1_1/account', (record: object) => record],
  ['batch', '/api/v1_1/accounts', (record: object) => [record]],
] as const;

describe.each(operations)('a failure of the store, %s', (_name, path, wrap) => {
  it('is answered with the documented 500, and told only to the log', async () => {
    server = await RunningServer.start();
    const key = await server.addTenant('acme');
    server.breakDatabase('drop table account_history');
    const answer = await server.post(path, key, wrap({ account_id: 'a' }));
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      success: false,
      errors: ['Internal Server Error. Please Connect to Customer Support.'],
      errors_by_attributes: [],
    });
    expect(answer.body).not.toContain('account_history');
    const [failure] = server.log.filter(({ msg }) => msg === 'request failed');
    expect(failure).toMatchObject({ id: answer.headers['x-request-id'] });
    expect(JSON.stringify(failure)).toContain('no such table');
    expect(await server.store.findAccount(1, 'a')).toBeUndefined();
  });

  it('while the key is looked up is a 500, not a 401', async () => {
    server = await RunningServer.start();
    const key = await server.addTenant('acme');
    server.breakDatabase('drop table api_key');
    const answer = await server.post(path, key, wrap({ account_id: 'a' }));
    expect(answer.statusCode).toBe(500);
  });

  it('through a full queue is a 503 that says when to come back, and stores nothing', async () => {
    server = await RunningServer.start({ store: { queueLimits: { records: 1, bytes: 1_000_000 } } });
    const key = await server.addTenant('acme');
    const ids = Array.from({ length: 20 }, (_, i) => `a-${i}`);
    const answers = await Promise.all(ids.map((id) => server.post(path, key, wrap({ account_id: id }))));
    const refused = answers.filter(({ statusCode }) => statusCode === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expect(answer.headers['retry-after']).toBe('1');
      expect(answer.json()).toEqual({
        success: false,
        errors: ['Too many writes are waiting. Send the request again in a moment.'],
        errors_by_attributes: [],
      });
    }
    for (const [i, { statusCode }] of answers.entries()) {
      const stored = (await server.store.findAccount(1, `a-${i}`)) !== undefined;
      expect([statusCode, stored]).toEqual(stored ? [200, true] : [503, false]);
    }
  });
});

describe('readiness', () => {
  it('fails while the database does not answer; the process stays healthy', async () => {
    server = await RunningServer.start();
    expect((await server.app.inject('/readyz')).json()).toEqual({ status: 'ready' });
    server.breakDatabase('drop table configuration');
    const answer = await server.app.inject('/readyz');
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { status: 'unavailable', reason: 'The database does not answer.' },
    ]);
    expect((await server.app.inject('/healthz')).json()).toEqual({ status: 'ok' });
  });
});

describe('what is no HTTP request', () => {
  it.each([
    ['garbage', 'nonsense\r\n\r\n', 400, 'The request is not valid HTTP.'],
    [
      'endless headers',
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'The headers are too large.',
    ],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'The request is not valid HTTP.',
    ],
  ])('is answered in the envelope: %s', async (_name, bytes, status, message) => {
    server = await RunningServer.start();
    const { port } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }));
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const body = JSON.stringify({ success: false, errors: [message], errors_by_attributes: [] });
    expect(answer.endsWith(`\r\n\r\n${body}`)).toBe(true);
  });
});
