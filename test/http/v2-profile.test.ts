import { describe, expect, it } from 'vitest';
import { cheapHash } from '../support/cheap-password.js';
import { databases } from '../support/databases.js';
import { dumpLasting } from '../support/dump-tables.js';
import { auditOf } from './audit-of.js';
import { UNAUTHENTICATED } from './browsers.js';
import { People, tokenIn } from './people.js';
import { invalid, NOON, problem, useServer } from './v2-server.js';

const WRONG = invalid({ '/body/current_password': 'is not right' });
const NEW = 'password-of-the-next-years';

describe.each(databases)('the own profile on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);
  const people = new People(server);
  const patch = (headers: Record<string, string>, body: object) =>
    people.send('PATCH', '/profile', { headers, body });

  it('gets another name, in all tenants, also for a viewer', async () => {
    const [acme, trial] = [await server.tenant(), await server.tenant()];
    const kim = await people.join(acme, 'viewer');
    await people.joinAlso(kim, trial, 'admin');
    const headers = await people.session(kim, acme);
    const renamed = { ...kim, name: 'Kim \u00c9' };
    const { status, body } = await patch(headers, { name: ' Kim E\u0301 ' });
    const expected = people.sessionBody(renamed, [
      [acme, 'viewer'],
      [trial, 'admin'],
    ]);
    expect([status, body]).toEqual([200, expected]);
    expect((await people.send('GET', '/session', { headers })).body).toEqual(expected);
    for (const tenant of [acme, trial]) {
      expect((await tenant.get('/users')).body.data).toMatchObject([{ id: kim.id, name: renamed.name }]);
      expect((await auditOf(tenant)).at(-1)).toEqual([
        'user.rename',
        kim.email,
        kim.id,
        kim.name,
        renamed.name,
      ]);
    }
    const entries = (await auditOf(acme)).length;
    expect((await patch(headers, { name: renamed.name })).status).toBe(200);
    expect(await auditOf(acme)).toHaveLength(entries);
  });

  it('gets another password, which ends all other sessions, and no keys', async () => {
    const [acme, trial] = [await server.tenant(), await server.tenant()];
    const kim = await people.join(acme, 'admin');
    await people.joinAlso(kim, trial);
    const [headers, here, there] = [
      await people.session(kim, acme),
      await people.session(kim, acme),
      await people.session(kim, trial),
    ];
    const stranger = await people.session(await people.join(acme), acme);
    const { status, body } = await patch(headers, { password: NEW, current_password: kim.password });
    expect([status, body]).toEqual([
      200,
      people.sessionBody(kim, [
        [acme, 'admin'],
        [trial, 'viewer'],
      ]),
    ]);
    for (const ended of [here, there])
      expect((await people.send('GET', '/session', { headers: ended })).body).toEqual(UNAUTHENTICATED);
    for (const kept of [headers, stranger])
      expect((await people.send('GET', '/session', { headers: kept })).status).toBe(200);
    expect((await people.signIn(kim)).status).toBe(401);
    expect((await people.signIn({ ...kim, password: NEW })).status).toBe(201);
    for (const tenant of [acme, trial])
      expect((await auditOf(tenant)).at(-1)).toEqual(['user.password', kim.email, kim.id, null, null]);
  });

  it('needs the current password, and another that is strong enough', async () => {
    const acme = await server.tenant();
    const kim = await people.join(acme, 'admin', {
      name: 'A Long Enough Name',
      email: `long.name.${acme.id}@example.com`,
    });
    const headers = await people.session(kim, acme);
    const before = await dumpLasting(server.databaseUrl);
    const current_password = kim.password;
    const tooShort = { '/body/password': 'must have at least 12 characters' };
    const given = { '/body/password': 'must not be the e-mail address or the name' };
    for (const [body, problems] of [
      [{ password: NEW }, WRONG],
      [{ password: NEW, current_password: '' }, WRONG],
      [{ password: NEW, current_password: 'password-of-nobody' }, WRONG],
      [{ password: NEW, current_password: `${current_password}\u00a0` }, WRONG],
      [{ password: NEW, current_password: 'x'.repeat(500_000) }, WRONG],
      [{ password: 'short-one-1', current_password }, invalid(tooShort)],
      [{ password: kim.name, current_password }, invalid(given)],
      [{ password: kim.email.toUpperCase(), current_password }, invalid(given)],
      [{ name: 'New name of Kim', password: 'NEW name OF kim', current_password }, invalid(given)],
      [{ name: '' }, invalid({ '/body/name': 'must be 1 to 200 characters without control characters' })],
      [
        { name: 'a\u202eb' },
        invalid({ '/body/name': 'must be 1 to 200 characters without control characters' }),
      ],
      [{ name: 'a\0b' }, invalid({ '/body/name': 'may not contain NUL' })],
      [{}, invalid({ '/body': 'must NOT have fewer than 1 properties' })],
      [
        { name: 'N', role: 'admin', email: 'a@b', id: 'x' },
        invalid({
          '/body/role': 'is not known here',
          '/body/email': 'is not known here',
          '/body/id': 'is not known here',
        }),
      ],
    ] as [object, object][]) {
      const answer = await patch(headers, body);
      expect([answer.status, answer.body]).toEqual([400, problems]);
    }
    expect(await dumpLasting(server.databaseUrl)).toEqual(before);
    expect((await people.send('GET', '/session', { headers })).status).toBe(200);
  });

  it('is limited in guesses at the current password, as sign-ins are', async () => {
    const acme = await server.tenant();
    const kim = await people.join(acme);
    const headers = await people.session(kim, acme);
    const from = '198.51.100.42';
    const body = { password: NEW, current_password: 'password-of-nobody' };
    const guess = () => people.send('PATCH', '/profile', { headers, body, from });
    const statuses = (await Promise.all(Array.from({ length: 15 }, guess))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([...Array(10).fill(400), ...Array(5).fill(429)]);
    expect((await people.send('GET', '/session', { headers, from })).status).toBe(200);
  }, 120_000);

  it('keeps a password that a link has set while the old one was confirmed', async () => {
    const acme = await server.tenant();
    const kim = await people.join(acme);
    const before = cheapHash(kim.password);
    const token = tokenIn((await acme.call('POST', `/users/${kim.id}/password-link`)).body.url);
    const answer = await people.send('POST', '/links/redeem', { body: { token, password: NEW } });
    expect(answer.status).toBe(201);
    const { users } = server.store.directory;
    const stored = (await users.find({ id: kim.id }))?.password;
    const by = { at: NOON, senderId: kim.id, requestId: 'r' };
    const after = cheapHash('password-of-the-attacker');
    expect(await users.replacePassword(kim.id, { before, after }, undefined, by)).toBe(false);
    expect((await users.find({ id: kim.id }))?.password).toBe(stored);
    await acme.call('DELETE', `/users/${kim.id}`);
    expect(await users.replacePassword(kim.id, { before: stored ?? '', after }, undefined, by)).toBe(false);
    expect((await users.find({ id: kim.id }))?.password).toBeNull();
  });

  it('begins no session with a password that was replaced after it was checked', async () => {
    const acme = await server.tenant();
    const kim = await people.join(acme);
    const { sessions, users } = server.store.directory;
    const checked = (await users.find({ id: kim.id }))?.password ?? '';
    const session = (id: string) => ({
      hash: `${id}-of-${kim.id}`,
      id,
      tenantId: acme.id,
      senderId: kim.id,
      createdAt: NOON,
      expiresAt: NOON + 1_000,
      userAgent: null,
    });
    expect(await sessions.create(session('before'), checked)).toBe(true);
    const by = { at: NOON, senderId: kim.id, requestId: 'r' };
    const replacement = { before: checked, after: cheapHash(NEW) };
    // Whichever is first, no session with the old password is left.
    const [isReplaced] = await Promise.all([
      users.replacePassword(kim.id, replacement, undefined, by),
      sessions.create(session('meanwhile'), checked),
    ]);
    expect(isReplaced).toBe(true);
    expect(await sessions.create(session('after'), checked)).toBe(false);
    expect(await sessions.list(kim.id, NOON)).toEqual([]);
    expect(await sessions.create(session('again'), replacement.after)).toBe(true);
  });

  it('is of users, not of keys', async () => {
    const acme = await server.tenant();
    const { status, body } = await acme.call('PATCH', '/profile', { name: 'Key' });
    const message = 'This is possible for a signed-in user only, and not with a key.';
    expect([status, body]).toEqual([409, problem(409, 'no_user', message)]);
  });
});
