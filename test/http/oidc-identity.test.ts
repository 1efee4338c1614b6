import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CookieBrowser } from '../support/cookie-browser.js';
import { CLIENT, OpenIdProvider } from '../support/openid-provider.js';
import { NOW, OidcFlow, REDIRECT_URI } from './oidc-flow.js';

let provider: OpenIdProvider;
beforeAll(async () => {
  provider = await OpenIdProvider.start();
  provider.register(REDIRECT_URI);
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.users.clear();
  provider.user = 'u-17';
  provider.users.set('u-17', { email: 'Kim@Acme.example', email_verified: true, name: 'Kim Lee' });
});

const identity = () => ({
  issuer: provider.issuer,
  subject: 'u-17',
  email: 'kim@acme.example',
  isEmailVerified: true,
  name: 'Kim Lee',
  roles: new Map(),
});

describe('sign-in by OpenID Connect', () => {
  it('asks for a code, with state, nonce and PKCE', async () => {
    const { url, pending } = await new OidcFlow(provider).signIn.start(REDIRECT_URI, '/console/runs?page=2');
    const { code_challenge, ...rest } = Object.fromEntries(url.searchParams);
    expect(url.origin + url.pathname).toBe(`${provider.issuer}/auth`);
    expect(rest).toEqual({
      client_id: CLIENT.client_id,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'openid email profile',
      state: pending.state,
      nonce: pending.nonce,
      code_challenge_method: 'S256',
    });
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(pending.codeVerifier));
    expect(code_challenge).toBe(Buffer.from(digest).toString('base64url'));
    expect(pending).toEqual({
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      codeVerifier: expect.stringMatching(/^[\w-]{43}$/),
      startedAt: NOW,
      returnTo: '/console/runs?page=2',
    });
    expect(new Set([pending.state, pending.nonce, pending.codeVerifier]).size).toBe(3);
  });

  it('learns who it is from the ID token and the user info', async () => {
    expect(await new OidcFlow(provider).identity()).toEqual(identity());
  });

  it('does without a client secret if the client is public', async () => {
    const publicClient = await OpenIdProvider.start();
    publicClient.clientMetadata = { token_endpoint_auth_method: 'none' };
    publicClient.register(REDIRECT_URI);
    Object.assign(publicClient, { users: provider.users, user: 'u-17' });
    const flow = new OidcFlow(publicClient, { clientSecret: undefined });
    expect(await flow.identity()).toEqual({ ...identity(), issuer: publicClient.issuer });
    await publicClient.stop();
  });

  it.each([
    [{}, { isEmailVerified: false }, {}],
    [{ email_verified: false }, { isEmailVerified: false }, {}],
    [{ email_verified: 'true' }, {}, {}],
    [{ email_verified: 'false' }, { isEmailVerified: false }, {}],
    [{}, {}, { trustsEmail: true }],
    [{ email_verified: false }, { isEmailVerified: false }, { trustsEmail: true }],
    [{ email: 'kim', email_verified: true }, { email: undefined }, {}],
    [{ email: undefined, email_verified: true }, { email: undefined }, {}],
    [{ email_verified: true, name: undefined, preferred_username: 'kim.lee' }, { name: 'kim.lee' }, {}],
    [{ email_verified: true, name: ' \u0000 ', preferred_username: 7 }, { name: undefined }, {}],
  ])('claims %j are %j with the settings %j', async (claims, expected, settings) => {
    provider.users.set('u-17', { email: 'kim@acme.example', name: 'Kim Lee', ...claims });
    expect(await new OidcFlow(provider, settings).identity()).toEqual({ ...identity(), ...expected });
  });

  const roles = [
    { value: 'cs-team', tenant: 'default', role: 'editor' },
    { value: 'ops', tenant: 'default', role: 'admin' },
    { value: '*', tenant: 'acme', role: 'viewer' },
  ] as const;

  it.each([
    [{}, 'groups', { acme: 'viewer' }],
    [{ groups: 'cs-team' }, 'groups', { default: 'editor', acme: 'viewer' }],
    [{ groups: ['ops', 'cs-team'] }, 'groups', { default: 'admin', acme: 'viewer' }],
    [{ realm_access: { roles: ['ops'] } }, 'realm_access.roles', { default: 'admin', acme: 'viewer' }],
    [{ realm_access: { roles: ['ops'] } }, 'groups', { acme: 'viewer' }],
  ])('claims %j give, by %s, the roles %j', async (claims, rolesClaim, expected) => {
    provider.users.set('u-17', { email: 'kim@acme.example', ...claims });
    const flow = new OidcFlow(provider, { roles, rolesClaim, scope: 'openid email groups' });
    expect(Object.fromEntries((await flow.identity()).roles)).toEqual(expected);
  });

  it('asks for the user info only if the ID token lacks something', async () => {
    const flow = new OidcFlow(provider, { roles });
    const asks = async () => {
      provider.requests.length = 0;
      await flow.identity();
      return provider.requests.includes('/me');
    };
    expect(await asks()).toBe(true);
    provider.forgery = { claims: { email: 'kim@acme.example' } };
    expect(await asks()).toBe(true);
    provider.forgery = { claims: { email: 'kim@acme.example', groups: [] } };
    expect(await asks()).toBe(false);
    provider.forgery = undefined;
  });

  it('believes the ID token, not the user info, which is not signed', async () => {
    provider.forgery = { claims: { name: 'Robin' } };
    expect(await new OidcFlow(provider).identity()).toEqual({ ...identity(), name: 'Robin' });
    provider.forgery = undefined;
  });

  it('discovers the provider once, and again after an hour', async () => {
    const flow = new OidcFlow(provider);
    const discoveries = () => provider.requests.filter((path) => path.startsWith('/.well-known/')).length;
    provider.requests.length = 0;
    await Promise.all(Array.from({ length: 20 }, () => flow.callback(new CookieBrowser())));
    flow.elapsed = 3_599_999;
    await flow.identity();
    expect(discoveries()).toBe(1);
    flow.elapsed = 3_600_000;
    await flow.identity();
    expect(discoveries()).toBe(2);
  });
});
