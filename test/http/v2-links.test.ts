import { describe, expect, it } from 'vitest';
import { hashKey } from '../../dist/domain/api-key.js';
import { databases } from '../support/databases.js';
import { dumpLasting } from '../support/dump-tables.js';
import { auditOf } from './audit-of.js';
import { COOKIE, tokenOf, withToken } from './browsers.js';
import { UNKNOWN_LINK } from './example-body.js';
import { People, type Person, tokenIn } from './people.js';
import { at, eventually, invalid, NOON, problem, type Tenant, useServer } from './v2-server.js';

const DAY = 86_400_000;
const LINK_NOT_FOUND = problem(
  404,
  'link_not_found',
  'This link is not valid: it has expired, was used, or was replaced by another. Ask for a new one.',
);
const FAILED = problem(401, 'sign_in_failed', 'The e-mail address or the password is not right.');
const NAME_RULE = 'must be 1 to 200 characters without control characters';

describe.each(databases)('a one-time link on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);
  const people = new People(server);

  const invite = async (tenant: Tenant, email: string, role = 'editor') =>
    tokenIn((await tenant.call('POST', '/invitations', { email, role })).body.url);
  const passwordLink = async (tenant: Tenant, { id }: Person) =>
    tokenIn((await tenant.call('POST', `/users/${id}/password-link`)).body.url);
  const lookUp = (token: unknown) => people.send('POST', '/links/look-up', { body: { token } });
  const redeem = (token: unknown, given: object, headers = {}) =>
    people.send('POST', '/links/redeem', { body: { token, ...given }, headers });

  it('invites a new person, who chooses a name and a password, and is signed in', async () => {
    const acme = await server.tenant();
    const person = { email: 'new@example.com', name: 'New \u00c9', password: 'password-of-somebody-new' };
    const token = await invite(acme, person.email);
    const found = await lookUp(token);
    const described = { kind: 'invitation', email: person.email, tenant: acme.name, role: 'editor' };
    expect([found.status, found.body]).toEqual([
      200,
      { ...described, has_password: false, expires_at: at(7 * DAY) },
    ]);
    const given = { name: ' New E\u0301 ', password: person.password };
    const { status, body, headers } = await redeem(token, given);
    const id = body.user?.id;
    expect([status, body]).toEqual([201, people.sessionBody({ ...person, id }, [[acme, 'editor']])]);
    expect(headers['set-cookie']).toMatch(COOKIE);
    expect(
      (await people.send('GET', '/session', { headers: withToken(tokenOf({ status, body, headers })) })).body,
    ).toEqual(body);
    expect((await redeem(token, given)).body).toEqual(LINK_NOT_FOUND);
    expect((await people.signIn(person)).status).toBe(201);
    const dump = await dumpLasting(server.databaseUrl);
    expect(JSON.stringify(dump)).not.toContain(person.password);
    const [user] = (dump.app_user ?? []).map((row) => JSON.parse(row)).filter((row) => row.id === id);
    expect(user.password).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(dump.one_time_link?.filter((row) => row.includes(hashKey(token)))).toEqual([]);
    expect((await auditOf(acme)).at(-1)).toEqual(['user.join', person.email, id, null, { role: 'editor' }]);
    expect((await acme.get('/sources/console')).body).toMatchObject({ name: 'console', label: 'Console' });
  });

  it('is not used up by a password or a name that is not accepted', async () => {
    const acme = await server.tenant();
    const email = 'careful.person@example.com';
    const token = await invite(acme, email);
    const name = 'Careful Person';
    for (const [given, errors] of [
      [{ name, password: 'short-pass1' }, { '/body/password': 'must have at least 12 characters' }],
      [
        { name, password: 'é'.normalize('NFD').repeat(11) },
        { '/body/password': 'must have at least 12 characters' },
      ],
      [{ name, password: 'abcdefgh'.repeat(17) }, { '/body/password': 'must have at most 128 characters' }],
      [{ name, password: 'abcdabcdabcd' }, { '/body/password': 'must have at least 5 different characters' }],
      [
        { name, password: 'CAREFUL.person@example.com' },
        { '/body/password': 'must not be the e-mail address or the name' },
      ],
      [
        { name, password: 'careful PERSON' },
        { '/body/password': 'must not be the e-mail address or the name' },
      ],
      [{ name, password: 'with\0-a-nul-in-it' }, { '/body/password': 'may not contain NUL' }],
      [{ password: 'password-of-nobody' }, { '/body/name': NAME_RULE }],
      [{ name: '  ', password: 'password-of-nobody' }, { '/body/name': NAME_RULE }],
      [{ name: 'a\nb', password: 'password-of-nobody' }, { '/body/name': NAME_RULE }],
      [{ name: 'x'.repeat(201), password: 'password-of-nobody' }, { '/body/name': NAME_RULE }],
      [{ name, password: 'password-of-nobody', role: 'admin' }, { '/body/role': 'is not known here' }],
      [{ name, password: 'password-of-nobody', email: 'a@b' }, { '/body/email': 'is not known here' }],
      [{ name }, { '/body/password': 'is missing' }],
      [{ name, password: ['password-of-nobody'] }, { '/body/password': 'must be string' }],
    ] as [object, Record<string, string>][]) {
      const { status, body, headers } = await redeem(token, given);
      expect([given, status, body]).toEqual([given, 400, invalid(errors)]);
      expect(headers).not.toHaveProperty('set-cookie');
    }
    expect(
      (await people.send('POST', '/links/redeem', { body: { token, password: 'x'.repeat(16_384) } })).body,
    ).toEqual(problem(413, 'body_too_large', 'The body may not be larger than 16384 bytes.'));
    expect(await server.store.directory.users.find({ email })).toBeUndefined();
    expect((await lookUp(token)).status).toBe(200);
  });

  it('is not found by anything else', async () => {
    const acme = await server.tenant();
    const token = await invite(acme, 'form@example.com');
    const last = token.endsWith('A') ? 'E' : 'A';
    for (const wrong of [
      UNKNOWN_LINK,
      `${token.slice(0, -1)}${last}`,
      token.slice(4),
      ` ${token}`,
      `${token}A`,
      token.toUpperCase(),
      hashKey(token),
      '',
      'x'.repeat(10_000),
      "' or 1=1 --",
    ]) {
      expect((await lookUp(wrong)).body).toEqual(LINK_NOT_FOUND);
      const answer = await redeem(wrong, { name: 'N', password: 'password-of-nobody' });
      expect([answer.status, answer.body]).toEqual([404, LINK_NOT_FOUND]);
    }
    expect((await lookUp([token])).body).toEqual(invalid({ '/body/token': 'must be string' }));
    expect((await lookUp(undefined)).body).toEqual(invalid({ '/body/token': 'is missing' }));
  });

  it('counts as a failed sign-in if it is not found', async () => {
    const from = '198.51.100.7';
    const body = { token: UNKNOWN_LINK };
    for (let i = 0; i < 5; i += 1) {
      expect((await people.send('POST', '/links/look-up', { body, from })).status).toBe(404);
      const redeeming = { ...body, password: 'password-of-nobody' };
      expect((await people.send('POST', '/links/redeem', { body: redeeming, from })).status).toBe(404);
    }
    const acme = await server.tenant();
    const token = await invite(acme, 'throttled@example.com');
    const answer = await people.send('POST', '/links/look-up', { body: { token }, from });
    expect([answer.status, answer.body.code]).toEqual([429, 'sign_in_throttled']);
    expect((await lookUp(token)).status).toBe(200);
  });

  it('lets a user of another tenant join with the own password, which stays as it is', async () => {
    const [acme, trial] = [await server.tenant(), await server.tenant()];
    const kim = await people.join(acme, 'admin');
    const before = await people.session(kim, acme);
    const token = await invite(trial, kim.email, 'viewer');
    expect((await lookUp(token)).body).toMatchObject({ has_password: true, tenant: trial.name });
    const { status, body } = await redeem(token, { password: kim.password, name: 'Another name' });
    const tenants = [
      [acme, 'admin'],
      [trial, 'viewer'],
    ] as const;
    expect([status, body]).toEqual([201, people.sessionBody(kim, tenants, 1)]);
    expect((await people.send('GET', '/session', { headers: before })).body).toEqual(
      people.sessionBody(kim, tenants),
    );
    expect((await people.signIn(kim)).status).toBe(201);
    expect((await auditOf(acme)).filter(([, subject]) => subject === kim.email)).toHaveLength(2);
  });

  it('sets a new password, ends all sessions of the user, and can be used once', async () => {
    const acme = await server.tenant();
    const kim = await people.join(acme, 'viewer');
    const old = await people.session(kim, acme);
    const replaced = await passwordLink(acme, kim);
    const token = await passwordLink(acme, kim);
    expect((await lookUp(replaced)).body).toEqual(LINK_NOT_FOUND);
    expect((await lookUp(token)).body).toEqual({
      kind: 'password',
      email: kim.email,
      tenant: acme.name,
      role: null,
      has_password: true,
      expires_at: at(DAY),
    });
    const changed = { ...kim, password: 'password-of-kim-from-now-on' };
    const { status, body } = await redeem(token, { password: changed.password, name: 'Ignored' });
    expect([status, body]).toEqual([201, people.sessionBody(kim, [[acme, 'viewer']])]);
    expect((await people.send('GET', '/session', { headers: old })).status).toBe(401);
    expect((await people.signIn(kim)).body).toEqual(FAILED);
    expect((await people.signIn(changed)).status).toBe(201);
    expect((await redeem(token, { password: 'password-of-a-second-use' })).body).toEqual(LINK_NOT_FOUND);
    expect((await auditOf(acme)).at(-1)).toEqual(['user.password', kim.email, kim.id, null, null]);
  });

  it('is used by one of two who redeem it at once', async () => {
    const acme = await server.tenant();
    const token = await invite(acme, 'twice@example.com');
    const both = ['First', 'Second'].map((name) => redeem(token, { name, password: `password-of-${name}` }));
    const answers = await Promise.all(both);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
    const { data } = (await acme.get('/users')).body;
    const winner = answers.find(({ status }) => status === 201)?.body.user;
    expect(data).toMatchObject([{ id: winner.id, name: winner.name }]);
  });

  it('of a disabled user sets the password, and signs in nowhere', async () => {
    const acme = await server.tenant();
    const kim = await people.join(acme);
    await acme.call('PATCH', `/users/${kim.id}`, { disabled: true });
    const { status, body, headers } = await redeem(await passwordLink(acme, kim), {
      password: 'password-of-the-disabled',
    });
    const message =
      'This user belongs to no tenant here. An administrator has to invite the user, or to enable it.';
    expect([status, body]).toEqual([403, problem(403, 'no_tenant', message)]);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it('is not valid on the host name of another tenant', async () => {
    const acme = await server.tenant({ hosts: ['acme-links.test'] });
    const other = await server.tenant({ hosts: ['other-links.test'] });
    const token = await invite(acme, 'host@example.com');
    const given = { name: 'N', password: 'password-of-host' };
    await eventually(async () =>
      expect((await other.get('/session', { host: 'acme-links.test' })).status).toBe(401),
    );
    const lookUpAt = (host: string) =>
      people.send('POST', '/links/look-up', { body: { token }, headers: { host } });
    expect((await lookUpAt('other-links.test')).body).toEqual(LINK_NOT_FOUND);
    expect((await redeem(token, given, { host: 'OTHER-links.test:8080' })).body).toEqual(LINK_NOT_FOUND);
    expect((await lookUpAt('acme-links.test')).status).toBe(200);
    expect((await redeem(token, given, { host: 'acme-links.test' })).status).toBe(201);
    expect(server.now).toBe(NOON);
  });
});
