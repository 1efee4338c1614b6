import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CookieBrowser } from '../support/cookie-browser.js';
import { freshSqlite } from '../support/databases.js';
import { runStatements } from '../support/released-database.js';
import { CALLBACK, OidcServer, START } from './oidc-server.js';
import { problem } from './v2-server.js';

let server: OidcServer;
afterEach(() => server.stop());
const start = async (settings: Record<string, string> = {}) => {
  server = await OidcServer.start(freshSqlite, { ACCOUNT_SYNC_OIDC_ROLES: '*=acme:viewer', ...settings });
  await server.addTenant('acme');
  server.addUser('kim');
};

const page = (code: string) => `/console/sign-in?problem=${code}`;
const failure = (code: string, reason: string) => ({ problem: code, reason, address: '127.0.0.1' });
const locationOf = async (browser: CookieBrowser, url: URL | string) =>
  (await browser.get(url)).headers.get('location');

describe('a callback', () => {
  beforeEach(() => start());

  it('that is repeated is refused, and costs no request to the provider', async () => {
    const browser = new CookieBrowser();
    const callback = await server.callback(browser);
    expect(await locationOf(browser, callback)).toBe('/console/accounts');
    server.provider.requests.length = 0;
    expect(await locationOf(browser, callback)).toBe(page('oidc_expired'));
    expect(server.provider.requests).toEqual([]);
    expect(server.failures).toEqual([failure('oidc_expired', 'the browser has begun no sign-in')]);
  });

  it('in another browser is refused, with and without a sign-in of its own', async () => {
    const callback = await server.callback(new CookieBrowser());
    const other = new CookieBrowser();
    expect(await locationOf(other, callback)).toBe(page('oidc_expired'));
    await server.callback(other);
    expect(await locationOf(other, callback)).toBe(page('oidc_state_mismatch'));
    expect(other.cookiesFor(callback)).not.toContain('account_sync_oidc');
  });

  it('of a user who cancels leads to the sign-in page', async () => {
    server.provider.user = undefined;
    expect(await server.signIn()).toBe(page('oidc_cancelled'));
  });

  it('with a token that is not for this sign-in is refused, and stores nothing', async () => {
    const reasons = [
      [{ aud: 'other' }, 'unexpected JWT "aud" (audience) claim value'],
      [{ nonce: 'other' }, 'unexpected ID Token "nonce" claim value'],
      [
        { exp: 1 },
        'unexpected JWT "exp" (expiration time) claim value, expiration is past current timestamp',
      ],
    ] as const;
    for (const [claims] of reasons) {
      server.provider.forgery = { claims };
      expect(await server.signIn()).toBe(page('oidc_token_invalid'));
    }
    expect(server.failures).toEqual(reasons.map(([, reason]) => failure('oidc_token_invalid', reason)));
    expect(await server.store.directory.users.find({ email: 'kim@acme.example' })).toBeUndefined();
  });

  it('leads to no page outside the console', async () => {
    for (const returnTo of ['//evil.example', '/console/..//evil.example', 'https://evil.example/console']) {
      expect(await server.signIn(new CookieBrowser(), returnTo)).toBe('/console');
    }
  });

  it('leads to no page outside the console that another host has put into the cookie', async () => {
    const browser = new CookieBrowser();
    const callback = await server.callback(browser);
    const page = Buffer.from('//evil.example/console').toString('base64url');
    const cookie = browser.cookiesFor(callback).replace(/(account_sync_oidc=[^;]+\.)[^.;]+/, `$1${page}`);
    const response = await fetch(callback, { headers: { cookie }, redirect: 'manual' });
    expect(response.headers.get('location')).toBe('/console');
  });

  it('with a made-up cookie is refused like one without', async () => {
    for (const cookie of ['', 'x', 'a.b.c.1.d', `${'x'.repeat(43)}.`.repeat(3)]) {
      const { headers } = await server.app.inject({
        url: `${CALLBACK}?code=c&state=s`,
        headers: { cookie: `account_sync_oidc=${cookie}` },
      });
      expect(headers.location).toBe(page('oidc_expired'));
    }
  });

  it('is not made by HEAD, with which programs look at links', async () => {
    const { statusCode } = await server.app.inject({ method: 'HEAD', url: CALLBACK });
    expect(statusCode).toBe(405);
  });

  it('counts as a failed sign-in if a code is wrong, and not if the user cancels', async () => {
    server.provider.user = undefined;
    for (let i = 0; i < 12; i += 1) expect(await server.signIn()).toBe(page('oidc_cancelled'));
    server.provider.user = 'kim';
    const guess = async () => {
      const browser = new CookieBrowser();
      const callback = await server.callback(browser);
      callback.searchParams.set('code', 'guessed');
      return locationOf(browser, callback);
    };
    for (let i = 0; i < 10; i += 1) expect(await guess()).toBe(page('oidc_refused'));
    expect(await guess()).toBe(page('sign_in_throttled'));
    expect(await server.signIn()).toBe(page('sign_in_throttled'));
  });

  it('leaves no code, state, token, claim or secret in the log', async () => {
    server.addUser('kim', { groups: ['secret-group'] });
    const browser = new CookieBrowser();
    const callback = await server.callback(browser);
    const [, value = ''] = /account_sync_oidc=([^;]+)/.exec(browser.cookiesFor(callback)) ?? [];
    const cookie = value.split('.').slice(0, 3);
    await browser.get(callback);
    server.provider.forgery = { claims: { aud: 'other' } };
    await server.signIn();
    const log = JSON.stringify(server.running.log);
    const code = callback.searchParams.get('code') ?? '';
    expect(cookie.map((value) => value.length)).toEqual([43, 43, 43]);
    for (const secret of [code, ...cookie, 'a secret', 'secret-group', 'kim@acme.example', 'eyJ']) {
      expect([secret, log.includes(secret)]).toEqual([secret, false]);
    }
    expect(log).toContain('"operation":"finish-oidc"');
  });
});

describe('behind HTTPS', () => {
  it('the cookie is Secure, and the provider returns to the public address', async () => {
    await start({
      ACCOUNT_SYNC_PUBLIC_URL: 'https://accounts.example.com',
      ACCOUNT_SYNC_TRUST_PROXY: 'true',
    });
    const { headers } = await server.app.inject({ url: START, headers: { 'x-forwarded-proto': 'https' } });
    expect(String(headers['set-cookie'])).toMatch(
      /; Path=\/api\/v2\/session\/oidc; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/,
    );
    expect(new URL(String(headers.location)).searchParams.get('redirect_uri')).toBe(
      `https://accounts.example.com${CALLBACK}`,
    );
  });
});

it('begins in pages of the service only, so that no other page can sign a browser in', async () => {
  await start();
  const from = async (site: string) => {
    const { headers } = await server.app.inject({ url: START, headers: { 'sec-fetch-site': site } });
    return [String(headers.location).split('?')[0], headers['set-cookie'] !== undefined];
  };
  for (const site of ['cross-site', 'same-site'])
    expect(await from(site)).toEqual(['/console/sign-in', false]);
  for (const site of ['same-origin', 'none']) {
    expect(await from(site)).toEqual([`${server.provider.issuer}/auth`, true]);
  }
});

describe('if the provider', () => {
  beforeEach(() => start());

  it('is down, people see the sign-in page', async () => {
    await server.provider.stop();
    expect(await locationOf(new CookieBrowser(), server.url + START)).toBe(page('oidc_unreachable'));
    const [line] = server.running.log.filter(({ msg }) => msg === 'sign-in failed');
    expect(line).toMatchObject({ level: 40, problem: 'oidc_unreachable', reason: 'ECONNREFUSED' });
  });

  it('hangs, other requests are answered meanwhile', async () => {
    const waiting: ServerResponse[] = [];
    server.provider.failures.set('/token', (_request, response) => void waiting.push(response));
    const browsers = Array.from({ length: 8 }, () => new CookieBrowser());
    const callbacks: URL[] = [];
    for (const browser of browsers) callbacks.push(await server.callback(browser));
    const attempts = browsers.map((browser, i) => locationOf(browser, callbacks[i] ?? ''));
    await expect.poll(() => waiting.length).toBe(browsers.length);
    expect((await server.app.inject('/api/v2/sign-in-methods')).statusCode).toBe(200);
    for (const response of waiting) response.destroy();
    expect(new Set(await Promise.all(attempts))).toEqual(new Set([page('oidc_unreachable')]));
  });
});

it('a store that fails gives the documented 500 without details, and the sign-in is over', async () => {
  await start();
  const browser = new CookieBrowser();
  const callback = await server.callback(browser);
  await runStatements(server.database, 'drop table membership');
  const response = await browser.get(callback);
  expect([response.status, await response.json()]).toEqual([
    500,
    {
      ...problem(
        500,
        'internal_error',
        'Something failed on our side; the log tells what, under the request id.',
      ),
      request_id: response.headers.get('x-request-id'),
    },
  ]);
  expect(browser.cookiesFor(callback)).not.toContain('account_sync_oidc');
});

describe('the ways to sign in', () => {
  const methods = async () => (await server.app.inject('/api/v2/sign-in-methods')).json();
  const post = async (url: string, payload: object) => {
    const headers = { 'x-request-id': 'r' };
    const { statusCode, json } = await server.app.inject({ method: 'POST', url, headers, payload });
    return { status: statusCode, body: json() };
  };

  it('include the provider, with its name', async () => {
    await start();
    expect(await methods()).toEqual({ password: true, key: true, oidc: { name: 'Acme' } });
  });

  it('can be the provider alone', async () => {
    await start({ ACCOUNT_SYNC_SIGN_IN: 'oidc' });
    const key = await server.running.addTenant('by-key');
    expect(await methods()).toEqual({ password: false, key: false, oidc: { name: 'Acme' } });
    const off = (what: string) => ({
      status: 403,
      body: problem(403, 'sign_in_method_off', expect.stringContaining(what)),
    });
    expect(await post('/api/v2/session', { key })).toEqual(off('key'));
    expect(await post('/api/v2/session', { email: 'kim@acme.example', password: 'x' })).toEqual(
      off('password'),
    );
    const redemption = { token: `lnk_${'x'.repeat(43)}`, password: 'a long enough password', name: 'Kim' };
    expect(await post('/api/v2/links/redeem', redemption)).toEqual(off('password'));
    expect(await server.signIn()).toBe('/console/accounts');
    const { statusCode } = await server.app.inject({
      url: '/api/v2/session',
      headers: { authorization: `Bearer ${key}` },
    });
    expect(statusCode).toBe(200);
  });

  it('can do without the provider', async () => {
    await start({ ACCOUNT_SYNC_SIGN_IN: 'password' });
    expect(await methods()).toEqual({ password: true, key: false, oidc: null });
    for (const url of [START, CALLBACK]) {
      expect(await locationOf(new CookieBrowser(), server.url + url)).toBe(page('sign_in_method_off'));
    }
  });
});
