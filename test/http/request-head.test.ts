import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { head, RawConnection } from '../support/raw-connection.js';
import { RunningServer } from './running-server.js';

const POST = 'POST /api/v1_1/account';
const BODY = '{"account_id":"acme"}';
const CHUNKED = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
const LENGTH = `Content-Length: ${BODY.length}`;
const NOWHERE = 'GET /api/v2/nowhere';

let server: RunningServer;
let url: string;
let asked: string[];
beforeAll(async () => {
  server = await RunningServer.start();
  const key = await server.addTenant('acme', { hosts: ['acme.example'] });
  asked = [`Authorization: Bearer ${key}`, 'Content-Type: application/json'];
  url = await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => server.stop());

async function send(request: string): Promise<[status: number | undefined, body: unknown]> {
  const connection = await RawConnection.open(url);
  connection.send(request);
  const [status] = await connection.waitForResponses(1);
  connection.close();
  return [status, JSON.parse(connection.body)];
}

const rejected = (message: string) => ({ success: false, errors: [message], errors_by_attributes: [] });
const headers = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: 1`);
const TWO_HOSTS = 'The Host header is not valid, or sent more than once.';

describe('the head of a request', () => {
  it.each([
    ['may not have two hosts', ['Host: a', 'Host: b', LENGTH], BODY, TWO_HOSTS],
    ['may not have the same host twice', ['Host: a', 'Host: a', LENGTH], BODY, TWO_HOSTS],
    ['may not have a host with a space in it', ['Host: a b', LENGTH], BODY, TWO_HOSTS],
    [
      'may not have an unsupported transfer coding',
      ['Host: a', 'Transfer-Encoding: gzip, chunked'],
      CHUNKED,
      'The only Transfer-Encoding that is understood is chunked, in HTTP/1.1.',
    ],
  ])('%s', async (_what, others, body, message) => {
    expect(await send(head(POST, ...others, ...asked) + body)).toEqual([400, rejected(message)]);
  });

  it.each([
    'acme.example/x',
    'acme.example@evil.example',
    'user@acme.example',
    'acme.example#',
    'acme.example?a',
    'acme.example..',
    'acme..example',
    '.acme.example',
    '.',
    'acme.example:80:80',
    'acme.example:http',
    'acme.example,other.example',
    'acm%65.example',
    'acm\xe9.example',
    '[::1',
    '::1',
  ])('may not have the host %s', async (host) => {
    const connection = await RawConnection.open(url);
    connection.send(head(POST, `Host: ${host}`, 'X-Request-Id: r', LENGTH, ...asked) + BODY);
    await connection.waitForResponses(1);
    connection.close();
    const body = JSON.stringify(rejected(TWO_HOSTS));
    expect(connection.text.replace(/^Date: .*\r\n/m, '')).toBe(
      [
        'HTTP/1.1 400 Bad Request',
        'x-content-type-options: nosniff',
        'cache-control: no-store',
        'cross-origin-resource-policy: same-origin',
        'x-request-id: r',
        'content-type: application/json; charset=utf-8',
        `content-length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    );
  });

  it.each([
    'acme.example',
    'ACME.example.',
    'acme.example:8080',
    'acme.example.:',
    'other_host-1.example',
    'localhost',
    '127.0.0.1:80',
    '[::1]',
    '[::ffff:127.0.0.1]:8080',
    '',
  ])('may have the host %j', async (host) => {
    expect(await send(head(POST, `Host: ${host}`, LENGTH, ...asked) + BODY)).toEqual([
      200,
      { success: true },
    ]);
  });

  it.each([
    ['HTTP/2.0', LENGTH, BODY, 'The version of HTTP must be 1.1 or 1.0.'],
    [
      'HTTP/1.0',
      'Transfer-Encoding: chunked',
      CHUNKED,
      'The only Transfer-Encoding that is understood is chunked, in HTTP/1.1.',
    ],
  ])('of %s may not have %s', async (version, framing, body, message) => {
    const request = head(POST, 'Host: a', framing, ...asked).replace('HTTP/1.1', version) + body;
    expect(await send(request)).toEqual([400, rejected(message)]);
  });

  it('may not have two Authorization headers', async () => {
    const request = head(POST, 'Host: a', LENGTH, ...asked, 'Authorization: Bearer other') + BODY;
    expect(await send(request)).toEqual([401, { success: false, error: 'Unauthenticated.', status: 403 }]);
  });

  it('may have 200 headers, and no more', async () => {
    const message = 'A request may not have more than 200 headers.';
    const ours = ['Host: a', LENGTH, ...asked];
    const enough = head(POST, ...ours, ...headers(200 - ours.length)) + BODY;
    expect(await send(enough)).toEqual([200, { success: true }]);
    const more = head(POST, ...ours, ...headers(201 - ours.length)) + BODY;
    expect(await send(more)).toEqual([431, rejected(message)]);
    expect(await send(head(NOWHERE, 'Host: a', ...headers(200)))).toEqual([
      431,
      {
        type: 'urn:problem:account-sync:headers-too-large',
        title: 'Request Header Fields Too Large',
        status: 431,
        detail: message,
        code: 'too_many_headers',
        request_id: expect.any(String),
        errors: [],
      },
    ]);
  });

  it('may not be CONNECT', async () => {
    const message = 'This service is no proxy: it takes no CONNECT.';
    expect(await send(head('CONNECT a:443', 'Host: a'))).toEqual([400, rejected(message)]);
  });
});

describe('a client that sends CONNECT and disconnects', () => {
  it('does no harm', async () => {
    for (let n = 0; n < 50; n += 1) {
      const connection = await RawConnection.open(url);
      connection.send(head('CONNECT a:443', 'Host: a'));
      connection.socket.resetAndDestroy();
      await connection.closed;
    }
    expect((await send(head('GET /healthz', 'Host: a')))[0]).toBe(200);
  });
});

describe('a request in absolute form', () => {
  it.each([
    ['http://acme.example/api/v1_1/account', 200],
    ['HTTP://acme.example:8080/api/v1_1/account?a=b', 200],
    ['http://other.example/api/v1_1/account', 200],
    ['http://acme.example@other.example/api/v1_1/account', 400],
    ['http://acme.example../api/v1_1/account', 400],
    ['http://acme.example', 405],
    ['http://acme.example?a=b', 405],
    ['ftp://acme.example/api/v1_1/account', 404],
  ])('to %s gets %i', async (target, status) => {
    const [answered] = await send(head(`POST ${target}`, 'Host: a', LENGTH, ...asked) + BODY);
    expect(answered).toBe(status);
  });

  it('uses the host of its URL instead of the Host header', async () => {
    const key = await server.addTenant('beta', { hosts: ['beta.example'] });
    const others = [`Authorization: Bearer ${key}`, 'Content-Type: application/json', LENGTH];
    const ask = (host: string, target: string) =>
      send(head(`POST http://${target}/api/v1_1/account`, `Host: ${host}`, ...others) + BODY);
    expect((await ask('acme.example', 'beta.example'))[0]).toBe(200);
    expect((await ask('beta.example', 'acme.example'))[0]).toBe(401);
  });

  it('gets errors in the format of the interface of its path', async () => {
    const [status, body] = await send(head('GET http://a/api/v2/nowhere', 'Host: a'));
    expect([status, body]).toEqual([404, expect.objectContaining({ status: 404, title: 'Not Found' })]);
  });
});

describe('input that is not HTTP', () => {
  const write = (id: string) => {
    const body = JSON.stringify({ account_id: id });
    return head(POST, 'Host: a', ...asked, `Content-Length: ${body.length}`) + body;
  };

  it('after a request does not displace the pending response', async () => {
    const connection = await RawConnection.open(url);
    connection.send(`${write('behind')}nonsense\r\n\r\n`);
    await connection.closed;
    expect(connection.statuses).toEqual([200]);
  });

  it('after a finished request gets a 400', async () => {
    const connection = await RawConnection.open(url);
    connection.send(write('before'));
    await connection.waitForResponses(1);
    connection.send('nonsense\r\n\r\n');
    await connection.closed;
    expect(connection.statuses).toEqual([200, 400]);
  });

  it('within an import is not reported inside its response', async () => {
    const connection = await RawConnection.open(url);
    const [key = ''] = asked;
    const others = [key, 'Content-Type: application/x-ndjson', 'Transfer-Encoding: chunked'];
    connection.send(head('POST /api/v2/accounts/import', 'Host: a', ...others));
    connection.send('18\r\n{"account_id":"import"}\n\r\n');
    await connection.waitForResponses(1, /\r\n\r\n/);
    connection.send('no chunk\r\n');
    await connection.closed;
    expect(connection.statuses).toEqual([200]);
  });
});
