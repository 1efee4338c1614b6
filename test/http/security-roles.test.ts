import { beforeAll, describe, expect, it } from 'vitest';
import { ROLES, type Role } from '../../dist/domain/user.js';
import { databases } from '../support/databases.js';
import { type Dump, dumpLasting } from '../support/dump-tables.js';
import { LEAST } from './access-table.js';
import { EXAMPLE_IDS } from './add-user.js';
import { UNAUTHENTICATED } from './browsers.js';
import { pathOf, requiredHeaders } from './described-server.js';
import { exampleBody } from './example-body.js';
import { addObjectsOfExamples } from './objects-of-examples.js';
import { type Described, inUsefulOrder, OpenapiDocument } from './openapi-document.js';
import { People, type Person } from './people.js';
import { type Answer, eventually, problem, type Tenant, useServer } from './v2-server.js';

type Headers = Readonly<Record<string, string>>;

describe.each(databases)('every operation of the document on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);
  const people = new People(server);
  let operations: Described[];
  let acme: Tenant;
  let document: OpenapiDocument;
  let users: Record<Role, Person>;

  beforeAll(async () => {
    document = await OpenapiDocument.of(server.app);
    operations = inUsefulOrder(document.operations.filter(({ path }) => path.startsWith('/api/v2/')));
    acme = await server.tenant();
    await addObjectsOfExamples(acme);
    const [viewer, editor, admin] = [
      await people.join(acme, 'viewer'),
      await people.join(acme, 'editor'),
      await people.join(acme, 'admin'),
    ];
    users = { viewer, editor, admin };
    await server.tenant({ hosts: ['roles-other.test'] });
    const cookies = await people.session(admin, acme);
    const there = { ...cookies, host: 'roles-other.test' };
    await eventually(async () =>
      expect((await people.send('GET', '/session', { headers: there })).status).toBe(401),
    );
  });

  function call(described: Described, headers: Headers): Promise<Answer> {
    const [type] = Object.keys(described.operation.requestBody?.content ?? {});
    const isSwitch = described.name === 'switch-tenant';
    const body = isSwitch ? { tenant: acme.name } : exampleBody(document, described, { key: acme.key });
    return server.app
      .inject({
        method: described.method,
        url: pathOf(described),
        headers: {
          'x-request-id': 'r',
          ...requiredHeaders(described),
          ...(type && { 'content-type': type }),
          ...headers,
        },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      .then(({ statusCode: status, headers: answered, body: text }) => ({
        status,
        headers: answered,
        body: /^application\/(problem\+)?json/.test(String(answered['content-type']))
          ? JSON.parse(text)
          : text,
      }));
  }

  /** Operations that need credentials. */
  const guarded = () => operations.filter(({ name }) => LEAST[name] !== 'open');

  it('is in the table with its least role', () => {
    expect(operations.map(({ name }) => [name, LEAST[name]])).toEqual(
      operations.map(({ name }) => [
        name,
        expect.stringMatching(/^(viewer|editor|admin|anyone|session|open)$/),
      ]),
    );
  });

  it.each(['viewer', 'editor'] as const)(
    'rejects a %s where more is needed, and changes nothing',
    async (own) => {
      const headers = await people.session(users[own], acme);
      const before = withoutRejections(await dumpLasting(server.databaseUrl));
      const refused = guarded().filter(({ name }) => rank(LEAST[name]) > rank(own));
      expect(refused.length).toBeGreaterThan(30);
      for (const described of refused) {
        const message = `This needs the role ${LEAST[described.name]}, and yours is ${own}.`;
        const { status, body } = await call(described, headers);
        expect([described.name, status, body]).toEqual([
          described.name,
          403,
          problem(403, 'role_missing', message),
        ]);
      }
      expect(withoutRejections(await dumpLasting(server.databaseUrl))).toEqual(before);
    },
  );

  it.each([
    ['is disabled', (id: string) => acme.call('PATCH', `/users/${id}`, { disabled: true })],
    ['is removed', (id: string) => acme.call('DELETE', `/users/${id}`)],
  ])('rejects an administrator who %s, also with a session that is left', async (_what, end) => {
    const gone = await people.join(acme, 'admin');
    const signedIn = await people.session(gone, acme);
    expect((await people.send('GET', '/session', { headers: signedIn })).status).toBe(200);
    expect((await end(gone.id)).status).toBeLessThan(300);
    const left = await people.session(gone, acme);
    for (const headers of [signedIn, left]) await expectUnauthenticated(headers);
  });

  it('rejects an administrator of another tenant whose session names this one', async () => {
    const stranger = await people.join(await server.tenant(), 'admin');
    await expectUnauthenticated(await people.session(stranger, acme));
  });

  it.each([
    ['without the header of the console', {}],
    ['with another value of that header', { 'x-account-sync-console': 'yes' }],
    ['from a page of another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['with another Authorization header', { 'x-account-sync-console': '1', authorization: 'Basic eDp5' }],
    ['on the host name of another tenant', { 'x-account-sync-console': '1', host: 'roles-other.test' }],
  ])('rejects the session of an administrator %s', async (_what, headers) => {
    const { cookie } = await people.session(users.admin, acme);
    await expectUnauthenticated({ cookie, ...headers });
  });

  async function expectUnauthenticated(headers: Headers): Promise<void> {
    // The rejections of the tests before may be recorded meanwhile.
    const before = withoutRejections(await dumpLasting(server.databaseUrl));
    for (const described of guarded()) {
      const { status, body } = await call(described, headers);
      expect([described.name, status, body]).toEqual([described.name, 401, UNAUTHENTICATED]);
    }
    expect(withoutRejections(await dumpLasting(server.databaseUrl))).toEqual(before);
  }

  it('changes nothing of this tenant for an administrator of another', async () => {
    const other = await server.tenant();
    const headers = await people.session(await people.join(other, 'admin'), other);
    const own = ({ name }: Described) => !['sign-out', 'patch-profile', 'end-other-sessions'].includes(name);
    const before = await rowsOf(acme);
    for (const described of guarded().filter(own)) await call(described, headers);
    expect(await rowsOf(acme)).toEqual(before);
  });

  it('rejects a key where only a session makes sense', async () => {
    for (const described of guarded().filter(({ name }) => LEAST[name] === 'session')) {
      const { status, body } = await call(described, { authorization: `Bearer ${acme.key}` });
      const [code, message] =
        described.name === 'sign-out'
          ? ['no_session', 'A key was sent, and no session: there is nothing to sign out of.']
          : ['no_user', 'This is possible for a signed-in user only, and not with a key.'];
      expect([described.name, status, body]).toEqual([described.name, 409, problem(409, code, message)]);
    }
  });

  it('accepts its least role and every role above', async () => {
    const before = await dumpLasting(server.databaseUrl);
    for (const described of guarded()) {
      const least = LEAST[described.name];
      const roles = ROLES.filter((role) => rank(role) >= rank(least));
      for (const role of roles) {
        const headers = await people.session(users[role], acme, EXAMPLE_IDS.session);
        const { status, body } = await call(described, headers);
        const about = `${described.name} ${role} ${status} ${JSON.stringify(body)}`;
        if (role === roles[0]) expect([200, 201, 204, 409], about).toContain(status);
        else expect([401, 403], about).not.toContain(status);
      }
    }
    expect(await dumpLasting(server.databaseUrl)).not.toEqual(before);
  });

  it('loses a role within the next request, and within a second in another process', async () => {
    const demoted = await people.join(acme, 'admin');
    const headers = await people.session(demoted, acme);
    const other = await server.another();
    const there = async () => (await other.app.inject({ url: '/api/v2/users', headers })).statusCode;
    const here = async () => (await people.send('GET', '/users', { headers })).status;
    expect([await here(), await there()]).toEqual([200, 200]);
    await acme.call('PATCH', `/users/${demoted.id}`, { role: 'editor' });
    expect(await here()).toBe(403);
    const changedAt = performance.now();
    await eventually(async () => expect(await there()).toBe(403));
    // Half a second in the cache; the rest is for a busy machine.
    expect(performance.now() - changedAt).toBeLessThan(5_000);
    await other.stop();
  });

  async function rowsOf({ id, name }: Tenant): Promise<readonly string[]> {
    // The rejections of the tests before may be recorded meanwhile.
    const tables = Object.values(withoutRejections(await dumpLasting(server.databaseUrl)));
    const rows = tables.flat().filter((row) => JSON.parse(row).tenant_id === id || row.includes(`"${name}"`));
    expect(rows.length).toBeGreaterThan(10);
    return rows;
  }
});

function rank(least: string | undefined): number {
  return ROLES.indexOf(least as Role);
}

/** Rejections of authenticated requests are recorded for their tenant, so these tables may change. */
function withoutRejections(dump: Dump): Dump {
  const recorded = ['rejection', 'period_count', 'sqlite_sequence'];
  return Object.fromEntries(Object.entries(dump).filter(([table]) => !recorded.includes(table)));
}
