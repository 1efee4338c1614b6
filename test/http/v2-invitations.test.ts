import { describe, expect, it } from 'vitest';
import { hashKey } from '../../dist/domain/api-key.js';
import { databases } from '../support/databases.js';
import { dumpLasting } from '../support/dump-tables.js';
import { runStatements } from '../support/released-database.js';
import { auditOf } from './audit-of.js';
import { People, tokenIn } from './people.js';
import { at, invalid, problem, type Tenant, useServer } from './v2-server.js';

const DAY = 86_400_000;
const LINK_NOT_FOUND = problem(
  404,
  'link_not_found',
  'This link is not valid: it has expired, was used, or was replaced by another. Ask for a new one.',
);

describe.each(databases)('invitations on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);
  const people = new People(server);

  const invite = (tenant: Tenant, email: string, role = 'editor') =>
    tenant.call('POST', '/invitations', { email, role });
  const lookUp = (token: string) => people.send('POST', '/links/look-up', { body: { token } });

  it('return a link that is shown once, and stored as a hash', async () => {
    const acme = await server.tenant();
    const admin = await people.join(acme, 'admin');
    const headers = await people.session(admin, acme);
    const body = { email: ' New.Person@EXAMPLE.com ', role: 'editor' };
    const answer = await people.send('POST', '/invitations', { headers, body });
    const invitation = {
      id: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
      email: 'new.person@example.com',
      role: 'editor',
      created_at: at(),
      expires_at: at(7 * DAY),
    };
    const url = expect.stringMatching(/^http:\/\/localhost:80\/console\/welcome#lnk_[\w-]{43}$/);
    expect([answer.status, answer.body]).toEqual([201, { ...invitation, url }]);
    expect((await acme.get('/invitations')).body).toEqual({ data: [invitation] });
    const token = tokenIn(answer.body.url);
    const dump = await dumpLasting(server.databaseUrl);
    expect(dump.one_time_link?.filter((row) => row.includes(hashKey(token)))).toHaveLength(1);
    expect(JSON.stringify(dump)).not.toContain(token.slice(4));
    expect(dump.app_user?.filter((row) => row.includes('new.person'))).toEqual([]);
    expect((await auditOf(acme)).at(-1)).toEqual([
      'user.invite',
      'new.person@example.com',
      admin.id,
      null,
      { role: 'editor', expires_at: at(7 * DAY) },
    ]);
  });

  it('have the public address of the service if there is one, and that of the request otherwise', async () => {
    const acme = await server.tenant();
    const email = 'host@example.com';
    const { body } = await acme.call(
      'POST',
      '/invitations',
      { email, role: 'viewer' },
      { host: 'here.test:81', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' },
    );
    expect(body.url).toMatch(/^http:\/\/here\.test:81\/console\/welcome#lnk_/);
  });

  it('replace an earlier one for the same address and tenant only', async () => {
    const [acme, trial] = [await server.tenant(), await server.tenant()];
    const email = 'again@example.com';
    const [first, ofTrial, second] = [
      await invite(acme, email),
      await invite(trial, email),
      await invite(acme, 'AGAIN@example.com', 'admin'),
    ];
    expect((await lookUp(tokenIn(first.body.url))).body).toEqual(LINK_NOT_FOUND);
    for (const { body } of [ofTrial, second])
      expect((await lookUp(tokenIn(body.url))).body).toMatchObject({ email, role: body.role });
    expect((await acme.get('/invitations')).body.data).toMatchObject([{ id: second.body.id, role: 'admin' }]);
  });

  it('are not listed, and not valid, once they expire', async () => {
    const acme = await server.tenant();
    const { body } = await invite(acme, 'late@example.com');
    server.now += 7 * DAY - 1;
    expect((await lookUp(tokenIn(body.url))).status).toBe(200);
    server.now += 1;
    expect((await lookUp(tokenIn(body.url))).body).toEqual(LINK_NOT_FOUND);
    expect((await acme.get('/invitations')).body).toEqual({ data: [] });
    await invite(acme, 'next@example.com');
    const { one_time_link = [] } = await dumpLasting(server.databaseUrl);
    expect(one_time_link.filter((row) => row.includes('late@example.com'))).toEqual([]);
  });

  it('are taken back by their tenant only', async () => {
    const [acme, other] = [await server.tenant(), await server.tenant()];
    const { body } = await invite(acme, 'back@example.com');
    const notFound = (id: string) => problem(404, 'not_found', `There is no invitation ${id}.`);
    const stranger = await other.call('DELETE', `/invitations/${body.id}`);
    expect([stranger.status, stranger.body]).toEqual([404, notFound(body.id)]);
    expect((await other.get('/invitations')).body).toEqual({ data: [] });
    const removed = await acme.call('DELETE', `/invitations/${body.id}`);
    expect([removed.status, removed.body]).toEqual([204, undefined]);
    expect((await lookUp(tokenIn(body.url))).body).toEqual(LINK_NOT_FOUND);
    expect((await acme.call('DELETE', `/invitations/${body.id}`)).body).toEqual(notFound(body.id));
    expect((await auditOf(acme)).at(-1)).toEqual([
      'invitation.remove',
      'back@example.com',
      acme.keyId,
      { role: 'editor' },
      null,
    ]);
    expect((await auditOf(other)).map(([action]) => action)).toEqual(['tenant.create', 'key.create']);
  });

  it('do not list or remove links for passwords', async () => {
    const acme = await server.tenant();
    const kim = await people.join(acme);
    const { body } = await acme.call('POST', `/users/${kim.id}/password-link`);
    expect((await acme.get('/invitations')).body).toEqual({ data: [] });
    const { one_time_link = [] } = await dumpLasting(server.databaseUrl);
    const [{ id }] = one_time_link.map((row) => JSON.parse(row)).filter(({ email }) => email === kim.email);
    expect((await acme.call('DELETE', `/invitations/${id}`)).status).toBe(404);
    expect((await lookUp(tokenIn(body.url))).status).toBe(200);
  });

  it('are for people who do not belong to the tenant, in whatever form the address is', async () => {
    const acme = await server.tenant();
    const kim = await people.join(acme, 'viewer', { email: 'jos\u00e9@example.com' });
    for (const email of ['jos\u00e9@example.com', ' JOS\u00c9@Example.COM', 'jose\u0301@example.com']) {
      const { status, body } = await invite(acme, email, 'admin');
      const message =
        'jos\u00e9@example.com belongs to the tenant already, as viewer. Change the role instead: ' +
        `the user's id is ${kim.id}.`;
      expect([status, body]).toEqual([409, problem(409, 'user_exists', message)]);
    }
    await acme.call('DELETE', `/users/${kim.id}`);
    expect((await invite(acme, kim.email)).status).toBe(201);
  });

  it.each([
    ['', 'must be an e-mail address'],
    ['kim', 'must be an e-mail address'],
    ['@example.com', 'must be an e-mail address'],
    ['kim@', 'must be an e-mail address'],
    ['kim@a@b', 'must be an e-mail address'],
    ['kim lee@example.com', 'must be an e-mail address'],
    ['kim@exam\nple.com', 'must be an e-mail address'],
    ['kim\u200b@example.com', 'must be an e-mail address'],
    ['kim\u202e@example.com', 'must be an e-mail address'],
    [`${'x'.repeat(243)}@example.com`, 'must be an e-mail address'],
    ['x'.repeat(100_000), 'must be an e-mail address'],
    ['kim\0@example.com', 'may not contain NUL'],
  ])('are not for %j', async (email, detail) => {
    const acme = await server.tenant();
    const { status, body } = await invite(acme, email);
    expect([status, body]).toEqual([400, invalid({ '/body/email': detail })]);
    expect((await acme.get('/invitations')).body).toEqual({ data: [] });
  });

  it.each([
    [{ email: 'a@b' }, { '/body/role': 'is missing' }],
    [{ role: 'viewer' }, { '/body/email': 'is missing' }],
    [{ email: 'a@b', role: 'operator' }, { '/body/role': 'must be one of viewer, editor, admin' }],
    [{ email: 'a@b', role: ['admin'] }, { '/body/role': 'must be one of viewer, editor, admin' }],
    [{ email: ['a@b'], role: 'viewer' }, { '/body/email': 'must be string' }],
    [{ email: 'a@b', role: 'viewer', tenant: 'x' }, { '/body/tenant': 'is not known here' }],
  ])('are not created by %j', async (sent, errors) => {
    const acme = await server.tenant();
    const { status, body } = await acme.call('POST', '/invitations', sent);
    expect([status, body]).toEqual([400, invalid(errors)]);
    expect((await acme.get('/invitations')).body).toEqual({ data: [] });
  });

  it('reject keys of prototypes', async () => {
    const acme = await server.tenant();
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const sent = `{"email":"a@b.example","role":"viewer","${key}":{"role":"admin"}}`;
      const { status } = await acme.call('POST', '/invitations', sent);
      expect([key, status]).toEqual([key, 400]);
    }
    expect((await acme.get('/invitations')).body).toEqual({ data: [] });
  });

  it('are at most 1,000 a tenant', async () => {
    const [acme, other] = [await server.tenant(), await server.tenant()];
    const rows = Array.from(
      { length: 1_000 },
      (_, i) =>
        `('i${acme.id}-${i}', 'h${acme.id}-${i}', 'invitation', ${acme.id}, 'p${i}@x.example', 'viewer', ` +
        `${server.now}, ${server.now + DAY})`,
    );
    await runStatements(
      server.database,
      `insert into one_time_link (id, hash, kind, tenant_id, email, role, created_at, expires_at)
       values ${rows.join(', ')};`,
    );
    const { status, body } = await invite(acme, 'one-more@example.com');
    const message = 'A tenant may not have more than 1000 users and 1000 invitations. Remove one first.';
    expect([status, body]).toEqual([409, problem(409, 'too_many_users', message)]);
    expect((await invite(acme, 'p7@x.example')).status, 'replaces one').toBe(201);
    expect((await invite(other, 'one-more@example.com')).status).toBe(201);
  });
});
