import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CookieBrowser } from '../support/cookie-browser.js';
import { databases } from '../support/databases.js';
import { CALLBACK, OidcServer, START } from './oidc-server.js';
import { problem } from './v2-server.js';

const COOKIE = 'Path=/api/v2/session/oidc; HttpOnly; SameSite=Lax';
const DELETED = `account_sync_oidc=; ${COOKIE}; Max-Age=0`;

describe.each(databases)('sign-in by OpenID Connect on %s', (_name, createDatabase) => {
  let server: OidcServer;
  let acme: number;
  beforeAll(async () => {
    server = await OidcServer.start(createDatabase, {
      ACCOUNT_SYNC_OIDC_ROLES: 'cs-team=acme:editor, ops=acme:admin, nobody=elsewhere:viewer',
    });
    acme = await server.addTenant('acme');
    await server.addTenant('other');
  });
  afterAll(() => server.stop());

  it('leads to the provider and back to the page, with the session of the user', async () => {
    server.addUser('kim', { groups: ['cs-team'] });
    const browser = new CookieBrowser();
    const start = await browser.get(`${server.url}${START}?return_to=/console/runs%3Fpage=2`);
    expect([start.status, start.headers.get('cache-control')]).toEqual([302, 'no-store']);
    expect(start.headers.get('location')?.startsWith(`${server.provider.issuer}/auth?`)).toBe(true);
    const [kept = '', ...others] = start.headers.getSetCookie();
    expect(kept).toMatch(/^account_sync_oidc=[\w-]{43}\.[\w-]{43}\.[\w-]{43}\.\d{13}\.[\w-]+; /);
    expect([kept.replace(/^.*?; /, ''), others]).toEqual([`${COOKIE}; Max-Age=600`, []]);
    const callback = await browser.follow(start.headers.get('location') ?? '', CALLBACK);
    const response = await browser.get(callback);
    expect([response.status, response.headers.get('location')]).toEqual([302, '/console/runs?page=2']);
    const [deleted, session = ''] = response.headers.getSetCookie();
    expect(deleted).toBe(DELETED);
    expect(session.replace(/=[\w-]{43};/, '=…;')).toBe(
      'account_sync_session=…; Path=/api/v2; HttpOnly; SameSite=Strict; Max-Age=43200',
    );
    const { status, body } = await server.call(browser, '/session');
    const [user] = await server.store.directory.users.members(acme);
    expect([status, body]).toEqual([
      200,
      {
        tenant: 'acme',
        user: { id: user?.id, email: 'kim@acme.example', name: 'kim', role: 'editor' },
        key_id: null,
        label: 'kim',
        source: 'console',
        scopes: ['read', 'sync'],
        tenants: [{ name: 'acme', role: 'editor' }],
        expires_at: expect.any(String),
        version: expect.any(String),
        database: server.store.dialect,
      },
    ]);
  });

  it('follows the claims at each sign-in', async () => {
    const browser = new CookieBrowser();
    server.addUser('robin', { groups: ['ops'] });
    expect(await server.signIn(browser)).toBe('/console/accounts');
    expect((await server.call(browser, '/session')).body.user.role).toBe('admin');
    server.addUser('robin', { groups: ['cs-team'] });
    expect(await server.signIn(new CookieBrowser())).toBe('/console/accounts');
    expect((await server.call(browser, '/session')).body.user.role).toBe('editor');
    server.addUser('robin', { groups: [] });
    expect(await server.signIn(new CookieBrowser())).toBe('/console/sign-in?problem=oidc_no_role');
    expect((await server.call(browser, '/session')).status).toBe(401);
  });

  it('accepts the invitation of a verified address', async () => {
    const { id: otherId = 0 } = (await server.store.directory.findTenant({ name: 'other' })) ?? {};
    const link = { hash: 'hash', email: 'sam@acme.example', expiresAt: Date.now() + 60_000 };
    await server.store.directory.links.invite(otherId, 'viewer', link);
    server.addUser('sam', { email_verified: false });
    expect(await server.signIn()).toBe('/console/sign-in?problem=oidc_email_unverified');
    server.addUser('sam');
    const browser = new CookieBrowser();
    expect(await server.signIn(browser)).toBe('/console/accounts');
    expect((await server.call(browser, '/session')).body.tenants).toEqual([
      { name: 'other', role: 'viewer' },
    ]);
  });

  it('refuses somebody whom an administrator has disabled, and somebody with the address of another', async () => {
    server.addUser('alex', { groups: ['cs-team'] });
    await server.signIn();
    const members = await server.store.directory.users.members(acme);
    const id = members.find(({ email }) => email === 'alex@acme.example')?.id ?? '';
    await server.store.directory.users.change(acme, id, { isDisabled: true });
    expect(await server.signIn()).toBe('/console/sign-in?problem=no_tenant');
    server.addUser('alex-2', { groups: ['ops'], email: 'alex@acme.example' });
    expect(await server.signIn()).toBe('/console/sign-in?problem=oidc_email_taken');
  });

  it('is the only way in: an administrator can make no link for a password', async () => {
    server.addUser('jo', { groups: ['cs-team'] });
    await server.signIn();
    const { id = '' } = (await server.store.directory.users.find({ email: 'jo@acme.example' })) ?? {};
    server.addUser('boss', { groups: ['ops'] });
    const browser = new CookieBrowser();
    await server.signIn(browser);
    const { status, body } = await server.call(browser, `/users/${id}/password-link`, 'POST');
    const detail =
      'jo@acme.example signs in by OpenID Connect, so only the operator can make this link, with ' +
      'account-sync user reset-password.';
    expect([status, body]).toEqual([409, problem(409, 'user_of_provider', detail)]);
  });

  it('stores nothing about somebody without a role', async () => {
    server.addUser('eve', { groups: ['sales'] });
    const browser = new CookieBrowser();
    const response = await browser.get(await server.callback(browser));
    expect(response.headers.get('location')).toBe('/console/sign-in?problem=oidc_no_role');
    expect(response.headers.getSetCookie()).toEqual([DELETED]);
    expect(await server.store.directory.users.find({ email: 'eve@acme.example' })).toBeUndefined();
  });
});
