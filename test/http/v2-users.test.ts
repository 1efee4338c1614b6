import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { dumpLasting } from '../support/dump-tables.js';
import { auditOf } from './audit-of.js';
import { UNAUTHENTICATED } from './browsers.js';
import { People, type Person, tokenIn } from './people.js';
import { at, eventually, invalid, NOON, problem, type Tenant, useServer } from './v2-server.js';

const DAY = 86_400_000;
const OWN_USER = problem(
  409,
  'own_user',
  'Another administrator has to do this: you cannot change your own role, disable or remove yourself, or make a link ' +
    'for your own password.',
);
const noUser = (id: string) => problem(404, 'not_found', `There is no user ${id}.`);

describe.each(databases)('users of a tenant on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);
  const people = new People(server);

  const listed = ({ id, email, name }: Person, given: object = {}) => ({
    id,
    email,
    name,
    role: 'viewer',
    state: 'active',
    origin: 'invitation',
    has_password: true,
    joined_at: at(),
    last_used_at: null,
    ...given,
  });

  /** Without the version that makes processes read keys and users again. */
  async function dumpRows() {
    const { configuration: _version, ...rows } = await dumpLasting(server.databaseUrl);
    return rows;
  }

  async function expectUnchanged(tenant: Tenant, ...sent: Parameters<Tenant['call']>) {
    const before = await dumpRows();
    const { status, body } = await tenant.call(...sent);
    expect(await dumpRows()).toEqual(before);
    expect(status).toBe(body.status);
    return body;
  }

  it('are listed by name, disabled ones too, and those of other tenants and former ones not', async () => {
    const acme = await server.tenant();
    expect((await acme.get('/users')).body).toEqual({ data: [] });
    const zoe = await people.join(acme, 'admin', { name: 'Zoe' });
    const bob = await people.join(acme, 'editor', { name: 'Bob', email: 'bob.1@example.com' });
    const eve = await people.join(acme);
    await people.join(await server.tenant());
    await acme.call('PATCH', `/users/${bob.id}`, { disabled: true });
    await acme.call('DELETE', `/users/${eve.id}`);
    const { status, body } = await acme.get('/users');
    expect([status, body]).toEqual([
      200,
      { data: [listed(bob, { role: 'editor', state: 'disabled' }), listed(zoe, { role: 'admin' })] },
    ]);
    expect(bob.id).toMatch(/^usr_[0-9A-Za-z]{8}$/);
  });

  it('change their role, and are disabled and enabled, with an audit entry each', async () => {
    const acme = await server.tenant();
    const admin = await people.join(acme, 'admin');
    const headers = await people.session(admin, acme);
    const kim = await people.join(acme);
    const patch = (body: object) => people.send('PATCH', `/users/${kim.id}`, { headers, body });
    const answers = [
      await patch({ role: 'editor' }),
      await patch({ role: 'editor', disabled: false }),
      await patch({ role: 'admin', disabled: true }),
      await patch({ disabled: false }),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, listed(kim, { role: 'editor' })],
      [200, listed(kim, { role: 'editor' })],
      [200, listed(kim, { role: 'admin', state: 'disabled' })],
      [200, listed(kim, { role: 'admin' })],
    ]);
    const changed = (from: object, to: object) => ['user.change', kim.email, admin.id, from, to];
    const [viewer, editor] = ['viewer', 'editor'].map((role) => ({ role, disabled: false }));
    const disabled = { role: 'admin', disabled: true };
    expect((await auditOf(acme)).slice(-3)).toEqual([
      changed(viewer as object, editor as object),
      changed(editor as object, disabled),
      changed(disabled, { role: 'admin', disabled: false }),
    ]);
  });

  it.each([
    ['nothing', {}, { '/body': 'must NOT have fewer than 1 properties' }],
    ['an unknown role', { role: 'owner' }, { '/body/role': 'must be one of viewer, editor, admin' }],
    ['a text for a flag', { disabled: 'yes' }, { '/body/disabled': 'must be boolean' }],
    ['null', { role: null }, { '/body/role': 'must be one of viewer, editor, admin' }],
    [
      'what only the service or the user sets',
      { email: 'a@b', password: 'x', id: 'x', name: 'x', tenant: 'x' },
      Object.fromEntries(
        ['email', 'password', 'id', 'name', 'tenant'].map((name) => [`/body/${name}`, 'is not known here']),
      ),
    ],
  ])('are not changed by %s', async (_what, body, errors) => {
    const acme = await server.tenant();
    const kim = await people.join(acme);
    expect(await expectUnchanged(acme, 'PATCH', `/users/${kim.id}`, body)).toEqual(invalid(errors));
  });

  it('of another tenant, former and unknown ones are not found by any operation', async () => {
    const [acme, other] = [await server.tenant(), await server.tenant()];
    const [stranger, former] = [await people.join(other, 'admin'), await people.join(acme)];
    await people.session(stranger, other);
    await acme.call('DELETE', `/users/${former.id}`);
    for (const id of [stranger.id, former.id, 'usr_00000000', "usr_' or 1=1", '__proto__', acme.keyId]) {
      const path = `/users/${encodeURIComponent(id)}`;
      for (const [method, at, body] of [
        ['PATCH', path, { role: 'viewer' }],
        ['DELETE', path, undefined],
        ['DELETE', `${path}/sessions`, undefined],
        ['POST', `${path}/password-link`, undefined],
      ] as const)
        expect(await expectUnchanged(acme, method, at, body)).toEqual(noUser(id));
    }
    expect((await expectUnchanged(acme, 'DELETE', '/users/usr_%00')).status).toBe(400);
  });

  it('cannot change their own role, disable or remove themselves, or make a link for the own password, but a key can', async () => {
    const acme = await server.tenant();
    const admin = await people.join(acme, 'admin');
    const headers = await people.session(admin, acme);
    const before = await dumpLasting(server.databaseUrl);
    for (const [method, path, body] of [
      ['PATCH', '', { role: 'viewer' }],
      ['PATCH', '', { disabled: true }],
      ['PATCH', '', { role: 'admin' }],
      ['DELETE', '', undefined],
      ['POST', '/password-link', undefined],
    ] as const) {
      const answer = await people.send(method, `/users/${admin.id}${path}`, { headers, body });
      expect([answer.status, answer.body]).toEqual([409, OWN_USER]);
    }
    expect(await dumpLasting(server.databaseUrl)).toEqual(before);
    const byKey = await acme.call('PATCH', `/users/${admin.id}`, { role: 'viewer' });
    expect([byKey.status, byKey.body]).toEqual([200, listed(admin)]);
    expect((await people.send('GET', '/users', { headers })).status).toBe(403);
  });

  it('are removed with their sessions and, from their last tenant, with their password', async () => {
    const [acme, trial] = [await server.tenant(), await server.tenant()];
    const kim = await people.join(acme, 'admin');
    await people.joinAlso(kim, trial);
    const [here, there] = [await people.session(kim, acme), await people.session(kim, trial)];
    const passwordOf = async () => (await server.store.directory.users.find({ id: kim.id }))?.password;
    expect((await acme.call('DELETE', `/users/${kim.id}`)).status).toBe(204);
    expect((await people.send('GET', '/session', { headers: here })).body).toEqual(UNAUTHENTICATED);
    expect((await people.send('GET', '/session', { headers: there })).body.tenants).toEqual([
      { name: trial.name, role: 'viewer' },
    ]);
    expect(await passwordOf()).toMatch(/^\$scrypt\$/);
    expect((await trial.call('DELETE', `/users/${kim.id}`)).status).toBe(204);
    expect(await passwordOf()).toBeNull();
    const { session = [], app_user = [] } = await dumpLasting(server.databaseUrl);
    expect(session.filter((row) => row.includes(kim.id))).toEqual([]);
    expect(app_user.filter((row) => row.includes(kim.id))).toHaveLength(1);
    expect((await auditOf(trial)).at(-1)).toEqual([
      'user.remove',
      kim.email,
      trial.keyId,
      { role: 'viewer', disabled: false },
      null,
    ]);
  });

  it('lose all sessions in this tenant by one request, in every process within a second', async () => {
    const [acme, trial] = [await server.tenant(), await server.tenant()];
    const kim = await people.join(acme);
    await people.joinAlso(kim, trial);
    const ended = [await people.session(kim, acme), await people.session(kim, acme)];
    const other = await server.another();
    const there = (headers: Record<string, string>) => other.app.inject({ url: '/api/v2/session', headers });
    for (const headers of ended) expect((await there(headers)).statusCode).toBe(200);
    const kept = await people.session(kim, trial);
    const answer = await acme.call('DELETE', `/users/${kim.id}/sessions`);
    expect([answer.status, answer.body]).toEqual([200, { ended: 2 }]);
    for (const headers of ended) {
      expect((await people.send('GET', '/session', { headers })).status).toBe(401);
      await eventually(async () => expect((await there(headers)).statusCode).toBe(401));
    }
    expect((await people.send('GET', '/session', { headers: kept })).status).toBe(200);
    expect((await acme.call('DELETE', `/users/${kim.id}/sessions`)).body).toEqual({ ended: 0 });
    const entries = await auditOf(acme);
    expect(entries.filter(([action]) => action === 'user.end-sessions')).toEqual([
      ['user.end-sessions', kim.email, acme.keyId, null, { sessions: 2 }],
    ]);
    await other.stop();
  });

  it('get a link for a new password, of which only the hash is stored', async () => {
    const acme = await server.tenant();
    const kim = await people.join(acme);
    const { status, body } = await acme.call('POST', `/users/${kim.id}/password-link`);
    const url = expect.stringMatching(/^http:\/\/localhost:80\/console\/welcome#lnk_[\w-]{43}$/);
    expect([status, body]).toEqual([201, { url, expires_at: at(DAY) }]);
    expect((await auditOf(acme)).at(-1)).toEqual([
      'user.password-link',
      kim.email,
      acme.keyId,
      null,
      { expires_at: at(DAY) },
    ]);
    expect(JSON.stringify(await dumpLasting(server.databaseUrl))).not.toContain(tokenIn(body.url).slice(4));
    const trial = await server.tenant();
    await people.joinAlso(kim, trial);
    expect(await expectUnchanged(acme, 'POST', `/users/${kim.id}/password-link`)).toEqual(
      problem(
        409,
        'user_of_other_tenants',
        `${kim.email} belongs to other tenants, too, so only the operator can make this link, with account-sync user ` +
          'reset-password.',
      ),
    );
  });

  it('lose their streams and imports as soon as they are disabled', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a' });
    const kim = await people.join(acme, 'editor');
    const headers = await people.session(kim, acme);
    const port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
    const stream = { ...headers, accept: 'text/event-stream' };
    const changes = request({ port, path: '/api/v2/changes', headers: stream }).end();
    const [events] = (await once(changes, 'response')) as [IncomingMessage];
    expect(events.statusCode).toBe(200);
    const ndjson = { ...headers, 'content-type': 'application/x-ndjson' };
    const importing = request({ port, method: 'POST', path: '/api/v2/accounts/import', headers: ndjson });
    importing.write('{"account_id":"b"}\n');
    const [results] = (await once(importing, 'response')) as [IncomingMessage];
    await acme.call('PATCH', `/users/${kim.id}`, { disabled: true });
    expect(await text(events)).toContain('"account_id":"a"');
    importing.end('{"account_id":"c"}\n');
    expect(await text(results)).toContain('"problem":"Record 1: The key is not live any more."');
    expect((await acme.get('/accounts/c')).status).toBe(404);
    expect(server.now).toBeGreaterThanOrEqual(NOON);
  });
});
