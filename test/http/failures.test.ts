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
  it('gets the documented 500, with details only in the log', async () => {
    server = await RunningServer.start();
    const key = await server.addTenant('acme');
    server.breakDatabase('drop table change_set');
    const answer = await server.post(path, key, wrap({ account_id: 'a' }));
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      success: false,
      errors: ['Internal Server Error. Please Connect to Customer Support.'],
      errors_by_attributes: [],
    });
    expect(answer.body).not.toContain('change_set');
    const [failure] = server.log.filter(({ msg }) => msg === 'request failed');
    expect(failure).toMatchObject({ id: answer.headers['x-request-id'] });
    expect(JSON.stringify(failure)).toContain('no such table');
    expect(await server.store.accounts.find(1, 'a')).toBeUndefined();
  });

  it('that ends a thread is a 500 for its requests; the next ones get a new thread', async () => {
    server = await RunningServer.start();
    const key = await server.addTenant('acme');
    // The thread that writes cannot start without this table.
    server.breakDatabase('alter table change_set rename to missing');
    const send = (id: string, pad = '') => server.post(path, key, wrap({ account_id: id, pad }));
    const answers = await Promise.all([send('a'), send('b'), send('c', 'x'.repeat(100_000))]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([500, 500, 500]);
    expect((await server.app.inject('/readyz')).statusCode).toBe(503);
    server.breakDatabase('alter table missing rename to change_set');
    for (const answer of [await send('a'), await send('c', 'x'.repeat(100_000))]) {
      expect([answer.statusCode, answer.body]).toEqual([200, '{"success":true}']);
    }
    expect((await server.app.inject('/readyz')).json()).toEqual({ status: 'ready' });
  });

  it('during the lookup of the key is a 500, not a 401', async () => {
    server = await RunningServer.start();
    const key = await server.addTenant('acme');
    server.breakDatabase('drop table api_key');
    const answer = await server.post(path, key, wrap({ account_id: 'a' }));
    expect(answer.statusCode).toBe(500);
  });

  it('because of a full queue is a 503 with Retry-After, and stores nothing', async () => {
    server = await RunningServer.start({ store: { queueLimits: { records: 1, bytes: 1_000_000 } } });
    const key = await server.addTenant('acme');
    const ids = Array.from({ length: 20 }, (_, i) => `a-${i}`);
    const answers = await Promise.all(ids.map((id) => server.post(path, key, wrap({ account_id: id }))));
    const rejected = answers.filter(({ statusCode }) => statusCode === 503);
    expect(rejected.length).toBeGreaterThan(0);
    for (const answer of rejected) {
      expect(answer.headers['retry-after']).toBe('1');
      expect(answer.json()).toEqual({
        success: false,
        errors: ['Too many writes are waiting. Send the request again in a moment.'],
        errors_by_attributes: [],
      });
    }
    for (const [i, { statusCode }] of answers.entries()) {
      const stored = (await server.store.accounts.find(1, `a-${i}`)) !== undefined;
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

/** Sends bytes and resolves with everything received until the server closes, or until `isEnough`. */
async function exchange(bytes: string, isEnough: (text: string) => boolean = () => false): Promise<string> {
  const { port } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }));
  return new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true }, () =>
      socket.write(bytes),
    );
    socket.on('data', (chunk) => {
      text += chunk;
      if (isEnough(text)) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('end', () => socket.destroy());
    socket.on('close', () => resolve(text));
  });
}

const envelope = (message: string) =>
  JSON.stringify({ success: false, errors: [message], errors_by_attributes: [] });

describe('input that is not an HTTP request', () => {
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
    ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'The Host header is missing.'],
    [
      'a bad path',
      'GET /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      400,
      'The path is not a valid URL.',
    ],
    [
      'a wish',
      'GET / HTTP/1.1\r\nHost: a\r\nExpect: luck\r\nConnection: close\r\n\r\n',
      417,
      'The only expectation that is met is 100-continue.',
    ],
  ])(
    'gets an error body of the contract, and the connection closes: %s',
    async (_name, bytes, status, message) => {
      server = await RunningServer.start();
      const answer = await exchange(bytes);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer.endsWith(`\r\n\r\n${envelope(message)}`)).toBe(true);
    },
  );
});

describe('a client that delays its body', () => {
  const head = (key: string, ...others: string[]) =>
    [
      'POST /api/v1_1/account HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      'Content-Length: 18',
      ...others,
      '',
      '',
    ].join('\r\n');

  it('gets a 401 before it sends the body', async () => {
    server = await RunningServer.start();
    const answer = await exchange(head('none'), (text) => text.endsWith('}'));
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });

  it('with Expect: 100-continue gets no 100 without a key', async () => {
    server = await RunningServer.start();
    const answer = await exchange(head('none', 'Expect: 100-continue'), (text) => text.endsWith('}'));
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });

  it('with Expect: 100-continue gets a 100 with a key', async () => {
    server = await RunningServer.start();
    const key = await server.addTenant('acme');
    const answer = await exchange(head(key, 'Expect: 100-continue'), (text) => text.endsWith('\r\n\r\n'));
    expect(answer).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  });
});

describe('an unknown path', () => {
  const get = async (url: string) => {
    const { statusCode, headers, json } = await server.app.inject({ url, headers: { 'x-request-id': 'r' } });
    return [statusCode, headers['content-type'], json()];
  };

  it.each(['/api/v2', '/api/v2/', '/api/v2?a=b', '/api/v2/nowhere'])(
    'gets problem details at %s',
    async (path) => {
      server = await RunningServer.start();
      expect(await get(path)).toEqual([
        404,
        'application/problem+json; charset=utf-8',
        {
          type: 'urn:problem:account-sync:not-found',
          title: 'Not Found',
          status: 404,
          detail: 'There is nothing at this path.',
          code: 'path_not_found',
          request_id: 'r',
          errors: [],
        },
      ]);
    },
  );

  it.each(['/api/v2x', '/api/v20/accounts', '/api', '/nowhere/api/v2/'])(
    'gets an error body of the contract at %s',
    async (path) => {
      server = await RunningServer.start();
      const body = { success: false, errors: ['There is nothing at this path.'], errors_by_attributes: [] };
      expect(await get(path)).toEqual([404, 'application/json; charset=utf-8', body]);
    },
  );
});
