import { describe, expect, it } from 'vitest';
import { generateKey, hashKey, SCOPES, type Scope } from '../../dist/domain/api-key.js';
import { VERSION } from '../../dist/version.js';
import { databases } from '../support/databases.js';
import { dumpTables } from '../support/dump-tables.js';
import { Browsers, COOKIE, tokenOf, UNAUTHENTICATED, withToken } from './browsers.js';
import { RunningServer } from './running-server.js';
import { at, eventually, invalid, NOON, problem, type Tenant, useServer } from './v2-server.js';

const HOUR = 3_600_000;

describe.each(databases)('a session on %s', (name, createDatabase) => {
  const server = useServer(createDatabase, { sessionHours: 2 });

  const browsers = new Browsers(server);

  const bodyOf = (tenant: Tenant, given: object = {}) => ({
    tenant: tenant.name,
    user: null,
    key_id: tenant.keyId,
    label: '',
    source: 'default',
    scopes: ['sync', 'read', 'admin'],
    tenants: [],
    expires_at: at(2 * HOUR),
    version: VERSION,
    database: name === 'SQLite' ? 'sqlite' : 'postgres',
    ...given,
  });

  describe('begins with a key', () => {
    it('which sets a cookie that scripts cannot read, and is never shown again', async () => {
      const acme = await server.tenant();
      const answer = await browsers.signIn(acme.key);
      expect([answer.status, answer.body]).toEqual([201, bodyOf(acme)]);
      expect(answer.headers).toEqual({
        'x-request-id': 'r',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
        'content-type': 'application/json; charset=utf-8',
        'content-length': expect.any(String),
        'set-cookie': expect.stringMatching(COOKIE),
        date: expect.any(String),
        connection: 'keep-alive',
      });
      const [, token = '', attributes] = COOKIE.exec(String(answer.headers['set-cookie'])) ?? [];
      expect(attributes).toBe('Path=/api/v2; HttpOnly; SameSite=Strict; Max-Age=7200');
      const { session: stored } = await dumpTables(server.databaseUrl);
      expect(stored?.join()).toContain(hashKey(token));
      expect(JSON.stringify(await dumpTables(server.databaseUrl))).not.toContain(token);
    });

    it.each([
      ['that does not exist', 'x'.repeat(40)],
      ['that is mistyped', 'acs_00000000_00000000000000000000000000000000AAAAAA'],
      ['that is empty', ''],
    ])('and not with one %s', async (_what, key) => {
      const { status, body, headers } = await browsers.signIn(key);
      expect([status, body, headers['www-authenticate']]).toEqual([401, UNAUTHENTICATED, 'Bearer']);
      expect(headers).not.toHaveProperty('set-cookie');
    });

    it('and not with one that has ended, or on the host of another tenant', async () => {
      const acme = await server.tenant();
      const host = 'sign-in.test';
      const other = await server.tenant({ hosts: [host] });
      const expired = await acme.addKey(SCOPES, undefined, NOON);
      const revoked = generateKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)));
      await acme.addKey(SCOPES, revoked);
      await server.store.directory.keys.revoke(acme.id, revoked.id, NOON);
      expect((await browsers.signIn(expired)).body).toEqual(UNAUTHENTICATED);
      expect((await browsers.signIn(revoked.key)).body).toEqual(UNAUTHENTICATED);
      await eventually(async () =>
        expect((await browsers.signIn(acme.key, { host })).body).toEqual(UNAUTHENTICATED),
      );
      expect((await browsers.signIn(other.key, { host })).status).toBe(201);
    });

    it('in a body of the right form and of modest size', async () => {
      const problemOf = async (body: object) => (await browsers.send('POST', '/session', {}, body)).body;
      const both = { key: 'k', email: 'a@b', tenant: 'acme' };
      const long = await browsers.signIn('x'.repeat(16_384));
      expect(await problemOf({})).toEqual(
        invalid({ '/body/email': 'is missing', '/body/password': 'is missing' }),
      );
      expect(await problemOf({ email: 'a@b' })).toEqual(invalid({ '/body/password': 'is missing' }));
      expect(await problemOf({ key: 'k', remember: true })).toEqual(
        invalid({ '/body/remember': 'is not known here' }),
      );
      expect(await problemOf(both)).toEqual(
        invalid({
          '/body/email': 'cannot be sent together with a key',
          '/body/tenant': 'cannot be sent together with a key',
        }),
      );
      expect(long.body).toEqual(
        problem(413, 'body_too_large', 'The body may not be larger than 16384 bytes.'),
      );
    });

    it('and ends with it if that expires first', async () => {
      const acme = await server.tenant();
      const key = await acme.addKey(
        ['read'],
        { id: `${acme.keyId}-short`, key: 'short'.repeat(8) },
        NOON + 1_500,
      );
      const answer = await browsers.signIn(key);
      const expected = { key_id: `${acme.keyId}-short`, scopes: ['read'], expires_at: at(1_500) };
      expect(answer.body).toEqual(bodyOf(acme, expected));
      expect(answer.headers['set-cookie']).toMatch(/; Max-Age=2$/);
    });

    it('which has at most 50 sessions, the newest', async () => {
      const acme = await server.tenant();
      const tokens: string[] = [];
      for (let i = 0; i < 51; i += 1) {
        server.now += 1;
        tokens.push(tokenOf(await browsers.signIn(acme.key)));
      }
      const [first = '', second = '', last = ''] = [tokens[0], tokens[1], tokens[50]];
      expect((await browsers.whoAmI(withToken(first))).status).toBe(401);
      for (const token of [second, last]) expect((await browsers.whoAmI(withToken(token))).status).toBe(200);
      server.now -= 86_400_000;
      const earlier = await browsers.session(acme.key);
      expect((await browsers.whoAmI(earlier)).status, 'after the clock was set back').toBe(200);
    }, 20_000);
  });

  it('is described for a cookie and for a key', async () => {
    const acme = await server.tenant();
    const byCookie = await browsers.whoAmI(await browsers.session(acme.key));
    expect([byCookie.status, byCookie.body]).toEqual([200, bodyOf(acme)]);
    expect(byCookie.headers).not.toHaveProperty('set-cookie');
    const byKey = await acme.get('/session');
    expect(byKey.body).toEqual(bodyOf(acme, { expires_at: null }));
    const key = await acme.addKey(['sync'], { id: `${acme.keyId}-sync`, key: 'sync'.repeat(9) }, NOON + 5);
    expect((await browsers.whoAmI({ authorization: `Bearer ${key}` })).body).toEqual(
      bodyOf(acme, { key_id: `${acme.keyId}-sync`, scopes: ['sync'], expires_at: at(5) }),
    );
  });

  it('reads, writes and imports like its key, and is logged as that key', async () => {
    const acme = await server.tenant();
    const browser = await browsers.session(acme.key);
    const imported = await server.app.inject({
      method: 'POST',
      url: '/api/v2/accounts/import',
      headers: { ...browser, 'content-type': 'application/x-ndjson' },
      payload: '{"account_id":"a"}\n',
    });
    expect(imported.body).toContain('"status":"created"');
    expect((await browsers.send('GET', '/accounts/a/history', browser)).body.data).toMatchObject([
      { key_id: acme.keyId },
    ]);
    await browsers.send('PATCH', '/settings', browser, { undeclared_fields: 'reject' });
    expect((await browsers.send('GET', '/audit', browser)).body.data[0]).toMatchObject({
      action: 'settings.change',
      key_id: acme.keyId,
    });
  });

  it('has exactly the scopes of its key', async () => {
    const acme = await server.tenant();
    const needs: Record<Scope, string> = { sync: '/session', read: '/accounts', admin: '/settings' };
    for (const scope of SCOPES) {
      const browser = await browsers.session(await acme.addKey([scope]));
      expect((await browsers.send('GET', needs[scope], browser)).status).toBe(200);
      const { body } = await browsers.send('GET', needs[scope === 'admin' ? 'read' : 'admin'], browser);
      expect(body).toEqual(
        problem(403, 'scope_missing', `This key lacks the scope ${scope === 'admin' ? 'read' : 'admin'}.`),
      );
    }
  });

  it('is valid only with the header of the console, and not with another credential', async () => {
    const acme = await server.tenant();
    const { cookie, ...header } = await browsers.session(acme.key);
    for (const headers of [
      { cookie },
      { cookie, 'x-account-sync-console': 'true' },
      { cookie, ...header, authorization: 'Bearer unknown' },
      { cookie, ...header, authorization: '' },
      { cookie: cookie.replace('account_sync', 'xaccount_sync'), ...header },
      { cookie: `${cookie}x`, ...header },
      { authorization: `Bearer ${cookie.split('=')[1]}` },
    ]) {
      expect((await browsers.whoAmI(headers)).body).toEqual(UNAUTHENTICATED);
    }
    const other = await server.tenant();
    const beside = await browsers.whoAmI({ cookie, ...header, authorization: `Bearer ${other.key}` });
    expect(beside.body.tenant).toBe(other.name);
  });

  it('is found among other cookies, as the first of valid form', async () => {
    const acme = await server.tenant();
    const { cookie, ...header } = await browsers.session(acme.key);
    const unknown = `account_sync_session=${'x'.repeat(43)}`;
    const statuses: number[] = [];
    for (const cookies of [
      `theme=dark; ${cookie}; lang=en`,
      `account_sync_session=short; ${cookie}`,
      `${cookie}; ${unknown}`,
      `${unknown}; ${cookie}`,
    ]) {
      statuses.push((await browsers.whoAmI({ ...header, cookie: cookies })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 401]);
  });

  it('is not accepted by the contract', async () => {
    const acme = await server.tenant();
    const browser = await browsers.session(acme.key);
    for (const [path, payload] of [
      ['account', { account_id: 'a' }],
      ['accounts', [{ account_id: 'a' }]],
    ] as const) {
      const url = `/api/v1_1/${path}`;
      const { status, body } = await server.inject({ method: 'POST', url, headers: browser, payload });
      expect(status).toBe(401);
      expect(body).toEqual({ success: false, error: expect.any(String), status: 403 });
    }
  });

  it('is not in the log, nor is its key', async () => {
    const acme = await server.tenant();
    const token = tokenOf(await browsers.signIn(acme.key));
    await browsers.signIn('wrong-key-'.repeat(4));
    await browsers.whoAmI(withToken(token));
    await browsers.signOut(withToken(token));
    await browsers.whoAmI(withToken(token));
    const lines = server.log.filter(({ operation }) => /-session$|^sign-/.test(String(operation)));
    expect(
      lines.slice(-5).map(({ operation, status, tenant, key }) => [operation, status, tenant, key]),
    ).toEqual([
      ['sign-in', 201, acme.name, acme.keyId],
      ['sign-in', 401, undefined, undefined],
      ['get-session', 200, acme.name, acme.keyId],
      ['sign-out', 204, acme.name, acme.keyId],
      ['get-session', 401, undefined, undefined],
    ]);
    const log = JSON.stringify(server.log);
    for (const secret of [acme.key, token, hashKey(token), 'wrong-key', 'account_sync_session']) {
      expect(log).not.toContain(secret);
    }
  });
});

describe('a session', () => {
  it('has a Secure cookie if the request used HTTPS, also through a trusted proxy', async () => {
    for (const [trustProxy, secure] of [
      [true, '; Secure'],
      [false, ''],
    ] as const) {
      const server = await RunningServer.start({ config: { trustProxy } });
      const key = await server.addTenant('acme');
      const headers = { 'x-forwarded-proto': 'https' };
      const call = (method: 'POST' | 'DELETE', given: object) =>
        server.app.inject({ method, url: '/api/v2/session', ...given });
      const signedIn = await call('POST', { headers, payload: { key } });
      const cookie = String(signedIn.headers['set-cookie']);
      expect(cookie).toMatch(new RegExp(`; Max-Age=43200${secure}$`));
      const browser = { cookie: cookie.split(';')[0], 'x-account-sync-console': '1' };
      const signedOut = await call('DELETE', { headers: { ...headers, ...browser } });
      expect(signedOut.headers['set-cookie']).toMatch(new RegExp(`; Max-Age=0${secure}$`));
      await server.stop();
    }
  });

  it('counts for the rate limit and the last use of its key', async () => {
    const server = await RunningServer.start({ config: { rateLimit: 3 }, clock: () => NOON });
    const key = await server.addTenant('acme');
    const call = (method: 'GET' | 'POST', given: object) =>
      server.app.inject({ method, url: '/api/v2/session', ...given });
    const first = await call('POST', { payload: { key } });
    const cookie = String(first.headers['set-cookie']).split(';')[0];
    const headers = { cookie, 'x-account-sync-console': '1' };
    const answers = [first, await call('GET', { headers })];
    answers.push(await call('GET', { headers: { authorization: `Bearer ${key}` } }));
    answers.push(await call('GET', { headers }), await call('POST', { payload: { key } }));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 200, 200, 429, 429]);
    expect(answers.map((answer) => answer.headers.ratelimit)).toEqual([
      '"key";r=2;t=60',
      '"key";r=1;t=60',
      '"key";r=0;t=60',
      '"key";r=0;t=60',
      '"key";r=0;t=60',
    ]);
    await server.app.close();
    expect((await server.store.directory.keys.get(1, 'acme'))?.lastUsedAt).toBe(NOON);
    await server.stop();
  });
});
