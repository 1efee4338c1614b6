import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CookieBrowser } from '../support/cookie-browser.js';
import { OpenIdProvider } from '../support/openid-provider.js';
import { OidcFlow, problemOf, REDIRECT_URI } from './oidc-flow.js';

let provider: OpenIdProvider;
let flow: OidcFlow;
beforeAll(async () => {
  provider = await OpenIdProvider.start();
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.register(REDIRECT_URI);
  provider.user = 'u-17';
  provider.users.set('u-17', { email: 'kim@acme.example', email_verified: true });
  provider.requests.length = 0;
  flow = new OidcFlow(provider);
});
afterEach(() => {
  provider.forgery = undefined;
  provider.failures.clear();
});

const finish = (callback: URL, pending?: Parameters<OidcFlow['signIn']['finish']>[1]) =>
  problemOf(flow.signIn.finish(callback, pending));
const withParameter = (url: URL, name: string, value: string) => {
  const changed = new URL(url);
  changed.searchParams.set(name, value);
  return changed;
};

describe('a callback is refused without any request to the provider', () => {
  it.each([
    ['without what the browser kept', () => undefined, ['oidc_expired', 'the browser has begun no sign-in']],
    [
      'after ten minutes',
      (pending: object) => ({ ...pending, startedAt: flow.now - 600_001 }),
      ['oidc_expired', 'the sign-in began more than 600 seconds ago'],
    ],
    [
      'with the state of another sign-in',
      (pending: object) => ({ ...pending, state: 'x'.repeat(43) }),
      ['oidc_state_mismatch', 'the state is that of another sign-in'],
    ],
  ])('%s', async (_what, change, problem) => {
    const { callback, pending } = await flow.callback();
    provider.requests.length = 0;
    expect(await finish(callback, change(pending) as typeof pending | undefined)).toEqual(problem);
    expect(provider.requests).toEqual([]);
  });

  it('from another browser, which has begun a sign-in of its own', async () => {
    const { callback } = await flow.callback();
    const other = await flow.callback(new CookieBrowser());
    provider.requests.length = 0;
    expect((await finish(callback, other.pending))[0]).toBe('oidc_state_mismatch');
    expect(provider.requests).toEqual([]);
  });

  it('with two states', async () => {
    const { callback, pending } = await flow.callback();
    callback.searchParams.append('state', pending.state);
    expect((await finish(callback, pending))[0]).toBe('oidc_state_mismatch');
  });

  it('when the user cancels', async () => {
    provider.user = undefined;
    const { callback, pending } = await flow.callback();
    provider.requests.length = 0;
    expect(await finish(callback, pending)).toEqual([
      'oidc_cancelled',
      'the provider answered access_denied',
    ]);
    expect(provider.requests).toEqual([]);
  });

  it.each([
    ['temporarily_unavailable', 'the provider answered temporarily_unavailable'],
    ['<script>', 'the provider answered an error'],
    ['x'.repeat(61), 'the provider answered an error'],
  ])('when the provider answers the error %s', async (error, reason) => {
    const { callback, pending } = await flow.callback();
    expect(await finish(withParameter(callback, 'error', error), pending)).toEqual(['oidc_refused', reason]);
  });
});

describe('the provider refuses', () => {
  it('a code that was redeemed already', async () => {
    const { callback, pending } = await flow.callback();
    await flow.signIn.finish(callback, pending);
    expect(await finish(callback, pending)).toEqual(['oidc_refused', 'the provider answered invalid_grant']);
  });

  it('an invented code', async () => {
    const { callback, pending } = await flow.callback();
    expect(await finish(withParameter(callback, 'code', 'invented'), pending)).toEqual([
      'oidc_refused',
      'the provider answered invalid_grant',
    ]);
  });

  it('a code with the verifier of another sign-in', async () => {
    const { callback, pending } = await flow.callback();
    const { codeVerifier } = (await flow.callback(new CookieBrowser())).pending;
    expect(await finish(callback, { ...pending, codeVerifier })).toEqual([
      'oidc_refused',
      'the provider answered invalid_grant',
    ]);
  });

  it('a wrong client secret, which is not in the error', async () => {
    flow = new OidcFlow(provider, { clientSecret: 'not-the-secret' });
    expect(await flow.problem()).toEqual(['oidc_refused', 'the provider answered with status 401']);
  });
});

describe('an ID token is not believed', () => {
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const seconds = (fromNow: number) => Math.floor(Date.now() / 1_000) + fromNow;

  it.each([
    ['for another client', { aud: 'other-client' }, 'unexpected JWT "aud" (audience) claim value'],
    [
      'for several clients',
      { aud: ['account-sync', 'other-client'] },
      'ID Token "aud" (audience) claim includes additional untrusted audiences',
    ],
    [
      'for several clients, issued to another',
      { aud: ['account-sync', 'other'], azp: 'other' },
      'unexpected ID Token "azp" (authorized party) claim value',
    ],
    ['of another sign-in', { nonce: 'x'.repeat(43) }, 'unexpected ID Token "nonce" claim value'],
    ['without a nonce', { nonce: undefined }, 'JWT "nonce" (nonce) claim missing'],
    ['of another issuer', { iss: 'https://login.example.com' }, 'unexpected JWT "iss" (issuer) claim value'],
    [
      'that has expired',
      { exp: seconds(-60) },
      'unexpected JWT "exp" (expiration time) claim value, expiration is past current timestamp',
    ],
    ['that is not valid yet', { nbf: seconds(3_600) }, 'unexpected JWT "nbf" (not before) claim value'],
    ['without a subject', { sub: undefined }, 'JWT "sub" (subject) claim missing'],
  ])('%s', async (_what, claims, reason) => {
    provider.forgery = { claims };
    expect(await flow.problem()).toEqual(['oidc_token_invalid', reason]);
  });

  it.each([
    ['that somebody else has signed', { key: stranger }, 'JWT signature verification failed'],
    [
      'with an unknown key',
      { header: { kid: 'unknown' } },
      'error when selecting a JWT verification key, no applicable keys found',
    ],
    ['with a symmetric signature', { header: { alg: 'HS256' } }, 'unexpected JWT "alg" header parameter'],
    ['without a signature', { header: { alg: 'none' } }, 'unexpected JWT "alg" header parameter'],
  ])('%s', async (_what, forgery, reason) => {
    provider.forgery = forgery;
    expect(await flow.problem()).toEqual(['oidc_token_invalid', reason]);
  });

  it('whose user info is that of another user', async () => {
    provider.failures.set('/me', (_request, response) => json(response, 200, { sub: 'u-18' }));
    expect(await flow.problem()).toEqual([
      'oidc_token_invalid',
      'unexpected "response" body "sub" property value',
    ]);
  });
});

describe('when the keys of the provider change', () => {
  afterEach(() => void vi.useRealTimers());

  it('a sign-in a minute later uses the new key', async () => {
    await flow.identity();
    provider.rotateKey();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    expect((await flow.identity()).subject).toBe('u-17');
    expect(provider.requests.filter((path) => path === '/jwks').length).toBe(2);
  });

  it('one within the minute fails, and the next one uses the new key', async () => {
    await flow.identity();
    provider.rotateKey();
    expect((await flow.problem())[0]).toBe('oidc_token_invalid');
    expect((await flow.identity()).subject).toBe('u-17');
  });
});

const json = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
