import { describe, expect, it } from 'vitest';
import { hashKey } from '../../dist/domain/api-key.js';
import { databases } from '../support/databases.js';
import { dumpLasting } from '../support/dump-tables.js';
import { COOKIE, tokenOf, UNAUTHENTICATED, withToken } from './browsers.js';
import { People } from './people.js';
import { eventually, invalid, problem, useServer } from './v2-server.js';

type Headers = Record<string, string>;
const notFound = (name: string) => problem(404, 'not_found', `There is no tenant ${name} of this user here.`);

describe.each(databases)('a switch to another tenant on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);
  const people = new People(server);
  const get = (path: string, headers: Headers) => people.send('GET', path, { headers });
  const switchTo = (tenant: unknown, headers: Headers) =>
    people.send('PUT', '/session/tenant', { headers, body: { tenant } });

  it('gives a new cookie with the role there; the old one is not valid any more', async () => {
    const [acme, trial] = [await server.tenant(), await server.tenant()];
    const kim = await people.join(acme, 'admin');
    await people.joinAlso(kim, trial, 'viewer');
    await acme.sync({ account_id: 'of-acme' });
    await trial.sync({ account_id: 'of-trial' });
    server.now = Date.UTC(2027, 0, 31, 12);
    const before = await people.session(kim, acme);
    expect((await get('/accounts', before)).body.data).toMatchObject([{ account_id: 'of-acme' }]);
    const answer = await switchTo(trial.name, before);
    const tenants = [
      [acme, 'admin'],
      [trial, 'viewer'],
    ] as const;
    expect([answer.status, answer.body]).toEqual([200, people.sessionBody(kim, tenants, 1)]);
    expect(answer.headers['set-cookie']).toMatch(COOKIE);
    expect(String(answer.headers['set-cookie'])).toMatch(
      /; Path=\/api\/v2; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    const after = withToken(tokenOf(answer));
    expect(after.cookie).not.toBe(before.cookie);
    expect((await get('/session', before)).body).toEqual(UNAUTHENTICATED);
    expect((await get('/session', after)).body).toEqual(answer.body);
    expect((await get('/accounts', after)).body.data).toMatchObject([{ account_id: 'of-trial' }]);
    expect((await get('/users', after)).body).toEqual(
      problem(403, 'role_missing', 'This needs the role admin, and yours is viewer.'),
    );
    const { session = [] } = await dumpLasting(server.databaseUrl);
    const rows = session.map((row) => JSON.parse(row)).filter(({ key_id }) => key_id === kim.id);
    expect(rows).toMatchObject([{ tenant_id: trial.id, hash: hashKey(tokenOf(answer)) }]);
  });

  it('ends the old cookie in other processes within a second', async () => {
    const [acme, trial] = [await server.tenant(), await server.tenant()];
    const kim = await people.join(acme);
    await people.joinAlso(kim, trial);
    const headers = await people.session(kim, acme);
    const other = await server.another();
    const there = async () => (await other.app.inject({ url: '/api/v2/session', headers })).statusCode;
    expect(await there()).toBe(200);
    expect((await switchTo(trial.name, headers)).status).toBe(200);
    await eventually(async () => expect(await there()).toBe(401));
    await other.stop();
  });

  it('is refused where the user does not belong, is disabled or removed, like for what does not exist', async () => {
    const [acme, foreign, disabled, left] = [
      await server.tenant(),
      await server.tenant(),
      await server.tenant(),
      await server.tenant(),
    ];
    const kim = await people.join(acme, 'admin');
    await people.joinAlso(kim, disabled, 'admin');
    await people.joinAlso(kim, left, 'admin');
    await disabled.call('PATCH', `/users/${kim.id}`, { disabled: true });
    await left.call('DELETE', `/users/${kim.id}`);
    const headers = await people.session(kim, acme);
    const before = await dumpLasting(server.databaseUrl);
    for (const name of [
      foreign.name,
      disabled.name,
      left.name,
      'nowhere',
      '',
      '__proto__',
      String(foreign.id),
    ]) {
      const { status, body, headers: answered } = await switchTo(name, headers);
      expect([name, status, body]).toEqual([name, 404, notFound(name)]);
      expect(answered).not.toHaveProperty('set-cookie');
    }
    for (const [name, errors] of [
      [undefined, { '/body/tenant': 'is missing' }],
      [acme.id, { '/body/tenant': 'must be string' }],
      [[acme.name], { '/body/tenant': 'must be string' }],
      ['a\0b', { '/body/tenant': 'may not contain NUL' }],
    ] as [unknown, Record<string, string>][])
      expect((await switchTo(name, headers)).body).toEqual(invalid(errors));
    expect(await dumpLasting(server.databaseUrl)).toEqual(before);
    expect((await get('/session', headers)).body.tenants).toEqual([{ name: acme.name, role: 'admin' }]);
  });

  it('works once of two at the same time, and leaves one valid cookie', async () => {
    const [acme, trial] = [await server.tenant(), await server.tenant()];
    const kim = await people.join(acme);
    await people.joinAlso(kim, trial);
    const headers = await people.session(kim, acme);
    const answers = await Promise.all([switchTo(trial.name, headers), switchTo(acme.name, headers)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const [switched] = answers.filter(({ status }) => status === 200);
    expect((await get('/session', withToken(tokenOf(switched as never)))).status).toBe(200);
    expect((await get('/session', headers)).status).toBe(401);
  });

  it('stays on the host name of a tenant', async () => {
    const acme = await server.tenant({ hosts: ['switch-acme.test'] });
    const trial = await server.tenant();
    const kim = await people.join(acme, 'editor');
    await people.joinAlso(kim, trial, 'admin');
    const headers = { ...(await people.session(kim, acme)), host: 'switch-acme.test' };
    const elsewhere = { ...(await people.session(kim, trial)), host: 'switch-acme.test' };
    await eventually(async () => expect((await get('/session', elsewhere)).body).toEqual(UNAUTHENTICATED));
    expect((await get('/session', headers)).body.tenants).toEqual([{ name: acme.name, role: 'editor' }]);
    expect((await switchTo(trial.name, headers)).body).toEqual(notFound(trial.name));
    const signIn = (tenant?: string) => people.signIn(kim, tenant, { headers: { host: 'switch-acme.test' } });
    for (const tenant of [undefined, trial.name]) expect((await signIn(tenant)).body.tenant).toBe(acme.name);
    const outsider = await people.join(trial, 'admin');
    const refused = await people.signIn(outsider, undefined, { headers: { host: 'switch-acme.test' } });
    expect([refused.status, refused.body.code]).toEqual([403, 'no_tenant']);
    expect(refused.headers).not.toHaveProperty('set-cookie');
  });
});
