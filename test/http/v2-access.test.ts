import { beforeAll, describe, expect, it } from 'vitest';
import { SCOPES, type Scope } from '../../dist/domain/api-key.js';
import { databases } from '../databases.js';
import { type Route, routesOf } from './v2-routes.js';
import { eventually, NOON, problem, type Tenant, useServer } from './v2-server.js';

/** The scopes of which a key needs one, by the method and the path below /api/v2. */
const NEEDED: Record<string, Scope | readonly Scope[]> = {
  'GET /accounts': 'read',
  'GET /accounts/:id': 'read',
  'DELETE /accounts/:id': 'admin',
  'GET /accounts/:id/children': 'read',
  'GET /accounts/:id/ancestors': 'read',
  'GET /accounts/:id/subtree': 'read',
  'GET /accounts/:id/history': 'read',
  'POST /accounts/import': 'sync',
  'GET /changes': 'read',
  'GET /rejections': 'read',
  'GET /attributes': 'read',
  'GET /attributes/:name': 'read',
  'PUT /attributes/:name': 'admin',
  'DELETE /attributes/:name': 'admin',
  'POST /attributes/:name/check': 'read',
  'GET /blocked-ids': 'admin',
  'POST /blocked-ids': 'admin',
  'DELETE /blocked-ids/:pattern': 'admin',
  'POST /blocked-ids/test': 'admin',
  'GET /settings': 'admin',
  'PATCH /settings': 'admin',
  'GET /settings/account-ids/check': 'admin',
  'GET /keys': 'admin',
  'POST /keys': 'admin',
  'DELETE /keys/:id': 'admin',
  'POST /keys/:id/rotate': 'admin',
  'GET /audit': 'admin',
  'GET /stats': 'read',
  'POST /session': SCOPES,
  'GET /session': SCOPES,
  'DELETE /session': SCOPES,
  'GET /status': 'read',
};

const CONSOLE = { 'x-account-sync-console': '1' };

describe.each(databases)('every route of /api/v2 on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);
  let acme: Tenant;
  let routes: Route[];
  beforeAll(async () => {
    acme = await server.tenant();
    routes = routesOf(server.app);
    expect(routes.length).toBeGreaterThan(30);
  });

  /** Whoever signs in sends the key in the body. */
  const call = ({ method, path }: Route, headers: Record<string, string>) =>
    server.inject({
      method,
      url: path.replaceAll(/:\w+/g, 'x'),
      headers: { 'x-request-id': 'r', ...headers },
      ...(`${method} ${path}` === 'POST /api/v2/session' && {
        payload: { key: headers.authorization?.replace('Bearer ', '') ?? '' },
      }),
    });

  const refusal = problem(401, 'Send a key that is live: Authorization: Bearer <key>.');
  async function expectUnauthenticated(headers: Record<string, string>): Promise<void> {
    for (const route of routes) {
      const { status, body, headers: answered } = await call(route, headers);
      expect([route, status, answered['www-authenticate'], answered['content-type']]).toEqual([
        route,
        401,
        'Bearer',
        'application/problem+json; charset=utf-8',
      ]);
      expect(body).toEqual(route.method === 'HEAD' ? undefined : refusal);
    }
  }

  const wellFormed = 'acs_00000000_00000000000000000000000000000000';
  it.each([
    ['no key', {}],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['a scheme without a key', { authorization: 'Bearer' }],
    ['a key with white space', { authorization: 'Bearer a b' }],
    ['a key whose checksum is wrong', { authorization: `Bearer ${wellFormed}AAAAAA` }],
    ['a key that nobody has', { authorization: `Bearer ${'x'.repeat(40)}` }],
    ['a key in the query', { 'x-api-key': 'x'.repeat(40) }],
    ['a session that nobody has', { ...CONSOLE, cookie: `account_sync_session=${'x'.repeat(43)}` }],
    ['a session of another form', { ...CONSOLE, cookie: 'account_sync_session=x' }],
  ])('lets nobody in with %s', async (_what, headers) => {
    await expectUnauthenticated(headers as Record<string, string>);
  });

  it('lets nobody in with a session where the header of the console is missing or another', async () => {
    const { headers } = await acme.call('POST', '/session', { key: acme.key });
    const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
    expect((await server.inject({ url: '/api/v2/session', headers: { ...CONSOLE, cookie } })).status).toBe(
      200,
    );
    await expectUnauthenticated({ cookie });
    await expectUnauthenticated({ cookie, 'x-account-sync-console': '2' });
    await expectUnauthenticated({ ...CONSOLE, cookie, authorization: 'Basic YTpi' });
  });

  it('lets nobody in with a key that is revoked, or has expired', async () => {
    const revoked = await acme.addKey(SCOPES, { id: `${acme.name}-revoked`, key: 'revoked'.repeat(6) });
    const expired = await acme.addKey(SCOPES, undefined, NOON + 10);
    const get = { method: 'GET', path: '/api/v2/settings' } as const;
    for (const key of [revoked, expired]) {
      expect((await call(get, { authorization: `Bearer ${key}` })).status).toBe(200);
    }
    await server.store.directory.keys.revoke(acme.id, `${acme.name}-revoked`, NOON);
    server.now = NOON + 10;
    await eventually(async () =>
      expect((await call(get, { authorization: `Bearer ${revoked}` })).status).toBe(401),
    );
    await expectUnauthenticated({ authorization: `Bearer ${revoked}` });
    await expectUnauthenticated({ authorization: `Bearer ${expired}` });
  });

  it('lets nobody in at the host of another tenant', async () => {
    const other = await server.tenant();
    await server.store.directory.changeTenant(other.id, { hosts: ['other.test'] });
    const headers = { authorization: `Bearer ${acme.key}`, host: 'OTHER.test:8080' };
    const get = { method: 'GET', path: '/api/v2/settings' } as const;
    await eventually(async () => expect((await call(get, headers)).status).toBe(401));
    await expectUnauthenticated(headers);
    expect((await call(get, { ...headers, authorization: `Bearer ${other.key}` })).status).toBe(200);
  });

  it('lets in with a scope that is needed, and no other', async () => {
    const keys = new Map<Scope, string>();
    for (const scope of SCOPES) keys.set(scope, await acme.addKey([scope]));
    for (const route of routes) {
      const letIn: Scope[] = [];
      for (const [scope, key] of keys) {
        const { status, body } = await call(route, { authorization: `Bearer ${key}` });
        expect(status).not.toBe(401);
        if (status !== 403) letIn.push(scope);
        else if (route.method !== 'HEAD') {
          expect(body).toEqual(problem(403, expect.stringMatching(/^This key lacks the scope \w+\.$/)));
        }
      }
      const method = route.method === 'HEAD' ? 'GET' : route.method;
      const needed = NEEDED[`${method} ${route.path.replace('/api/v2', '')}`];
      expect([route, letIn]).toEqual([route, [needed ?? 'unknown'].flat()]);
    }
  });
});
