import { afterEach, describe, expect, it } from 'vitest';
import { RunningServer } from './running-server.js';

const ORIGIN = 'https://app.example.com';
const PATH = '/api/v1_1/account';

let server: RunningServer;
afterEach(() => server.stop());

const preflight = (origin: string) =>
  server.app.inject({
    method: 'OPTIONS',
    url: PATH,
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });

describe('a request from a page of another origin', () => {
  it('gets no CORS headers by default', async () => {
    server = await RunningServer.start();
    const asked = await preflight(ORIGIN);
    expect([asked.statusCode, asked.headers['access-control-allow-origin']]).toEqual([405, undefined]);
    const answer = await server.post(PATH, 'none', {}, { headers: { origin: ORIGIN } });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('from an allowed origin may send requests and read responses with their headers', async () => {
    server = await RunningServer.start({ config: { corsOrigins: [ORIGIN] } });
    const key = await server.addTenant('acme');
    const asked = await preflight(ORIGIN);
    expect(asked.statusCode).toBe(204);
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        'Account-Sync-Run, Authorization, Content-Type, If-None-Match, Last-Event-ID, X-Request-Id',
    });
    const answer = await server.post(PATH, key, { account_id: 'a' }, { headers: { origin: ORIGIN } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers':
        'Account-Sync-Kept, Account-Sync-Result, Deprecation, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
    });
  });

  it('can also read errors, so that a page can show the reason', async () => {
    server = await RunningServer.start({ config: { corsOrigins: [ORIGIN] } });
    const headers = { origin: ORIGIN };
    const rejections = await Promise.all([
      server.post(PATH, 'none', {}, { headers }),
      server.post('/nowhere', 'none', {}, { headers }),
      server.app.inject({ method: 'DELETE', url: PATH, headers }),
    ]);
    expect(rejections.map(({ statusCode }) => statusCode)).toEqual([401, 404, 405]);
    for (const rejection of rejections) expect(rejection.headers['access-control-allow-origin']).toBe(ORIGIN);
  });

  it('from any other origin gets no CORS headers', async () => {
    server = await RunningServer.start({ config: { corsOrigins: [ORIGIN] } });
    const asked = await preflight('https://evil.example.com');
    expect(asked.headers['access-control-allow-origin']).toBeUndefined();
  });

  it.each([ORIGIN, '*'])('cannot use a session, also if the setting is %s', async (allowed) => {
    server = await RunningServer.start({ config: { corsOrigins: [allowed] } });
    const key = await server.addTenant('acme');
    const session = { url: '/api/v2/session', headers: { origin: ORIGIN } };
    const signedIn = await server.app.inject({ ...session, method: 'POST', payload: { key } });
    const asked = await server.app.inject({
      ...session,
      method: 'OPTIONS',
      headers: {
        ...session.headers,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-account-sync-console',
      },
    });
    expect([signedIn.statusCode, asked.statusCode]).toEqual([201, 204]);
    for (const { headers } of [signedIn, asked]) {
      expect(headers['access-control-allow-origin']).toBe(allowed);
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
    expect(asked.headers['access-control-allow-headers']).toBe(
      'Account-Sync-Run, Authorization, Content-Type, If-None-Match, Last-Event-ID, X-Request-Id',
    );
  });

  it('is allowed from every origin if the setting is *', async () => {
    server = await RunningServer.start({ config: { corsOrigins: ['*'] } });
    expect((await preflight('https://any.example')).headers['access-control-allow-origin']).toBe('*');
  });
});
