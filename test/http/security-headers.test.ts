import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashKey, SCOPES } from '../../dist/domain/api-key.js';
import { RunningServer } from './running-server.js';

const KEY = 'key-with-all-scopes-'.padEnd(32, '-');

let server: RunningServer;
let url: string;
beforeAll(async () => {
  server = await RunningServer.start({ config: { trustProxy: true } });
  await server.store.directory.createTenant('acme', {}, 1);
  await server.store.directory.keys.add({
    id: 'acme',
    tenantId: 1,
    hash: hashKey(KEY),
    scopes: SCOPES,
    label: '',
    createdAt: 1,
    expiresAt: null,
  });
  url = await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => server.stop());

/** Headers whose values differ between responses of one kind. */
const VARYING = [
  'date',
  'content-length',
  'etag',
  'last-modified',
  'x-request-id',
  'keep-alive',
  'connection',
];

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** All other headers of a response, and its status. */
async function answerOf(line: string, { headers = {}, body }: Sent = {}) {
  const [method, path] = line.split(' ');
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = request(`${url}${path}`, { method: method as string, headers: { ...type, ...headers } });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const status = answer.statusCode;
  answer.destroy();
  return { status, ...fixed(answer.headers) };
}

function fixed(headers: IncomingHttpHeaders): Record<string, unknown> {
  const kept = Object.entries(headers).filter(([name]) => !VARYING.includes(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, String(value).replace(/nonce-[^']+|(?<=session=)[\w-]+/, '…')]),
  );
}

const withKey = { headers: { authorization: `Bearer ${KEY}` } };

/** Headers of every response. */
const STANDARD = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
};
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const PROBLEM = { 'content-type': 'application/problem+json; charset=utf-8' };

const CONSOLE = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' '…'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

const DOCS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

const BATCH = {
  deprecation: '@1622419200',
  link: '</api/v2/accounts/import>; rel="successor-version"',
};

describe('the headers of a response', () => {
  it.each<[what: string, line: string, sent: Sent, headers: object]>([
    [
      'of the contract',
      'POST /api/v1_1/account',
      { ...withKey, body: '{"account_id":"a"}' },
      { status: 200, ...JSON_TYPE, 'account-sync-result': 'created' },
    ],
    [
      'to an invalid batch',
      'POST /api/v1_1/accounts',
      { ...withKey, body: '[]' },
      { status: 400, ...JSON_TYPE, ...BATCH },
    ],
    [
      'of the contract without a key',
      'POST /api/v1_1/account',
      {},
      { status: 401, ...JSON_TYPE, 'www-authenticate': 'Bearer' },
    ],
    ['of /api/v2', 'GET /api/v2/status', withKey, { status: 200, ...JSON_TYPE }],
    [
      'of /api/v2 without a key',
      'GET /api/v2/keys',
      {},
      { status: 401, ...PROBLEM, 'www-authenticate': 'Bearer' },
    ],
    ['of what is not there', 'GET /api/v2/accounts/x', withKey, { status: 404, ...PROBLEM }],
    [
      'to a sign-in over HTTPS',
      'POST /api/v2/session',
      { headers: { 'x-forwarded-proto': 'https' }, body: JSON.stringify({ key: KEY }) },
      {
        status: 201,
        ...JSON_TYPE,
        'set-cookie':
          'account_sync_session=…; Path=/api/v2; HttpOnly; SameSite=Strict; Max-Age=43200; Secure',
      },
    ],
    [
      'that stays open',
      'GET /api/v2/changes',
      { headers: { ...withKey.headers, accept: 'text/event-stream' } },
      {
        status: 200,
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
        'transfer-encoding': 'chunked',
      },
    ],
    [
      'to an import',
      'POST /api/v2/accounts/import',
      { ...withKey, body: '[]' },
      {
        status: 200,
        'content-type': 'application/x-ndjson; charset=utf-8',
        'x-accel-buffering': 'no',
        'transfer-encoding': 'chunked',
      },
    ],
    ['at the bare address', 'GET /', {}, { status: 302, location: '/console' }],
    ['with the console', 'GET /console/accounts', {}, { status: 200, ...CONSOLE }],
    ['for a missing file of the console', 'GET /console/assets/x', {}, { status: 404, ...JSON_TYPE }],
    ['with the docs', 'GET /docs', {}, { status: 200, 'content-type': 'text/html; charset=utf-8', ...DOCS }],
    [
      'with a file of the docs',
      'GET /docs/static/swagger-ui.css',
      {},
      {
        status: 200,
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=0',
        'accept-ranges': 'bytes',
        ...DOCS,
      },
    ],
    ['for a missing file of the docs', 'GET /docs/static/x', {}, { status: 404, ...JSON_TYPE, ...DOCS }],
    ['with the document', 'GET /openapi.json', {}, { status: 200, ...JSON_TYPE }],
    [
      'with metrics',
      'GET /metrics',
      {},
      { status: 200, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    ],
    ['to a probe', 'GET /healthz', {}, { status: 200, ...JSON_TYPE }],
    ['to the other probe', 'GET /readyz', {}, { status: 200, ...JSON_TYPE }],
    ['at no path', 'GET /nowhere', {}, { status: 404, ...JSON_TYPE }],
    ['at a path that is none', 'GET /%zz', {}, { status: 400, ...JSON_TYPE }],
    ['to another method', 'DELETE /api/v1_1/account', {}, { status: 405, ...JSON_TYPE, allow: 'POST' }],
    ['to TRACE', 'TRACE /api/v1_1/account', withKey, { status: 405, ...JSON_TYPE, allow: 'POST' }],
    ['to a wish', 'GET /healthz', { headers: { expect: 'luck' } }, { status: 417, ...JSON_TYPE }],
    [
      'to an origin that is not allowed',
      'GET /healthz',
      { headers: { origin: 'https://evil.example' } },
      {
        status: 200,
        ...JSON_TYPE,
      },
    ],
  ])('%s', async (_what, line, sent, headers) => {
    expect(await answerOf(line, sent)).toEqual({ ...STANDARD, ...headers });
  });

  it('with a file of the console, which may be cached', async () => {
    const { body } = await server.app.inject('/console');
    const [file] = /\/console\/assets\/[^"]+\.js/.exec(body) ?? [];
    expect(await answerOf(`GET ${file}`)).toEqual({
      ...STANDARD,
      status: 200,
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      vary: 'accept-encoding',
    });
  });

  it('to input that is not HTTP', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.end('nonsense\r\n\r\n');
    const answer = String(Buffer.concat(await socket.toArray()));
    expect(answer).toMatchInlineSnapshot(`
      "HTTP/1.1 400 Bad Request
      Content-Type: application/json; charset=utf-8
      Content-Length: 87
      Connection: close
      x-content-type-options: nosniff
      cache-control: no-store
      cross-origin-resource-policy: same-origin

      {"success":false,"errors":["The request is not valid HTTP."],"errors_by_attributes":[]}"
    `);
  });
});
