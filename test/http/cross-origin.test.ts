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
  it('is not let in unless the setting says so', async () => {
    server = await RunningServer.start();
    const asked = await preflight(ORIGIN);
    expect([asked.statusCode, asked.headers['access-control-allow-origin']]).toEqual([405, undefined]);
    const answer = await server.post(PATH, 'none', {}, { headers: { origin: ORIGIN } });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('from an allowed origin may ask, send and read the answer with its headers', async () => {
    server = await RunningServer.start({ config: { corsOrigins: [ORIGIN] } });
    const key = await server.addTenant('acme');
    const asked = await preflight(ORIGIN);
    expect(asked.statusCode).toBe(204);
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        'Authorization, Content-Type, If-None-Match, Last-Event-ID, X-Request-Id',
    });
    const answer = await server.post(PATH, key, { account_id: 'a' }, { headers: { origin: ORIGIN } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers':
        'Account-Sync-Result, Deprecation, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
    });
  });

  it('can read refusals too, or a page could not tell why', async () => {
    server = await RunningServer.start({ config: { corsOrigins: [ORIGIN] } });
    const headers = { origin: ORIGIN };
    const refusals = await Promise.all([
      server.post(PATH, 'none', {}, { headers }),
      server.post('/nowhere', 'none', {}, { headers }),
      server.app.inject({ method: 'DELETE', url: PATH, headers }),
    ]);
    expect(refusals.map(({ statusCode }) => statusCode)).toEqual([401, 404, 405]);
    for (const refusal of refusals) expect(refusal.headers['access-control-allow-origin']).toBe(ORIGIN);
  });

  it('from any other origin stays out', async () => {
    server = await RunningServer.start({ config: { corsOrigins: [ORIGIN] } });
    const asked = await preflight('https://evil.example.com');
    expect(asked.headers['access-control-allow-origin']).toBeUndefined();
  });

  it.each([ORIGIN, '*'])('can use no session, also where the setting is %s', async (allowed) => {
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
      'Authorization, Content-Type, If-None-Match, Last-Event-ID, X-Request-Id',
    );
  });

  it('is let in from everywhere where the setting is *', async () => {
    server = await RunningServer.start({ config: { corsOrigins: ['*'] } });
    expect((await preflight('https://any.example')).headers['access-control-allow-origin']).toBe('*');
  });
});
