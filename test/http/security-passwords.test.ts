import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { dumpLasting, dumpTables } from '../support/dump-tables.js';
import { metricsIn } from '../support/metrics-in.js';
import { COOKIE } from './browsers.js';
import { People } from './people.js';
import { invalid, problem, useServer } from './v2-server.js';

const FAILED = problem(401, 'sign_in_failed', 'The e-mail address or the password is not right.');

describe.each(databases)('a sign-in with a password on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);
  const people = new People(server);

  it('begins a session in the chosen tenant, or the first by name, and replaces a weak hash', async () => {
    const [acme, trial] = [await server.tenant(), await server.tenant()];
    const kim = await people.join(trial, 'viewer');
    await people.joinAlso(kim, acme, 'admin');
    const tenants = [
      [acme, 'admin'],
      [trial, 'viewer'],
    ] as const;
    const first = await people.signIn({ ...kim, email: ` ${kim.email.toUpperCase()} ` });
    expect([first.status, first.body]).toEqual([201, people.sessionBody(kim, tenants)]);
    expect(first.headers['set-cookie']).toMatch(COOKIE);
    const stored = async () => (await server.store.directory.users.find({ id: kim.id }))?.password;
    const rehashed = await stored();
    expect(rehashed).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
    expect((await people.signIn(kim, trial.name)).body).toEqual(people.sessionBody(kim, tenants, 1));
    expect((await people.signIn(kim, 'nowhere')).body.tenant).toBe(acme.name);
    expect(await stored()).toBe(rehashed);
  });

  it('fails alike for a wrong password, an unknown address, a user without a password, and a disabled one', async () => {
    const acme = await server.tenant();
    const kim = await people.join(acme);
    const disabled = await people.join(acme);
    const former = await people.join(acme);
    await acme.call('PATCH', `/users/${disabled.id}`, { disabled: true });
    await acme.call('DELETE', `/users/${former.id}`);
    await acme.call('POST', '/invitations', { email: 'invited.only@example.com', role: 'viewer' });
    const before = await dumpLasting(server.databaseUrl);
    const wrong = 'password-of-nobody';
    for (const [email, password] of [
      [kim.email, wrong],
      [kim.email, kim.password.toUpperCase()],
      [kim.email, ` ${kim.password}`],
      [kim.email, ''],
      [kim.email, 'x'.repeat(16_000)],
      ['unknown@example.com', wrong],
      ['invited.only@example.com', wrong],
      ['not an address', wrong],
      ['', ''],
      [disabled.email, wrong],
      [former.email, former.password],
      [kim.id, kim.password],
    ] as const) {
      const { status, body, headers } = await people.signIn({ email, password });
      expect([email, status, body, headers['www-authenticate']]).toEqual([email, 401, FAILED, 'Bearer']);
      expect(headers).not.toHaveProperty('set-cookie');
    }
    expect(await dumpLasting(server.databaseUrl)).toEqual(before);
    const known = await people.signIn(disabled);
    expect([known.status, known.body.code]).toEqual([403, 'no_tenant']);
  });

  it('treats characters that look the same as one, in the address and in the password', async () => {
    const acme = await server.tenant();
    const [composed, decomposed] = [
      '\u00e9l\u00e8ve-\u212bngstr\u00f6m',
      'e\u0301le\u0300ve-A\u030angstro\u0308m',
    ];
    const email = `${composed}-${acme.id}@example.com`;
    const kim = await people.join(acme, 'viewer', {
      email: email.normalize('NFC').toLowerCase(),
      password: `password-of-${composed}`,
    });
    for (const form of [composed, decomposed]) {
      const sent = { email: `${form}-${acme.id}@EXAMPLE.com`, password: `password-of-${form}` };
      expect((await people.signIn(sent)).body.user?.id).toBe(kim.id);
    }
    expect(
      (await people.signIn({ ...kim, password: kim.password.normalize('NFKD').replace(/\p{M}/gu, '') }))
        .status,
    ).toBe(401);
  });

  it.each([
    [{ email: 'a@b.example' }, { '/body/password': 'is missing' }],
    [{ password: 'x' }, { '/body/email': 'is missing' }],
    [{ email: ['a@b.example'], password: 'x' }, { '/body/email': 'must be string' }],
    [{ email: 'a@b.example', password: { length: 20 } }, { '/body/password': 'must be string' }],
    [{ email: 'a@b.example', password: 'x', tenant: 1 }, { '/body/tenant': 'must be string' }],
    [{ email: 'a@b.example', password: 'x', role: 'admin' }, { '/body/role': 'is not known here' }],
    [{ email: 'a\0@b.example', password: 'x' }, { '/body/email': 'may not contain NUL' }],
    [{ email: 'a@b.example', password: 'x\0y' }, { '/body/password': 'may not contain NUL' }],
  ] as [object, Record<string, string>][])('rejects the body %j', async (body, errors) => {
    const answer = await people.send('POST', '/session', { body });
    expect([answer.status, answer.body]).toEqual([400, invalid(errors)]);
  });

  it('rejects keys of prototypes, large bodies, forms and other media types', async () => {
    const send = async (payload: string, type = 'application/json') =>
      (
        await server.app.inject({
          method: 'POST',
          url: '/api/v2/session',
          headers: { 'content-type': type },
          payload,
        })
      ).json();
    for (const key of ['__proto__', 'constructor', 'prototype'])
      expect((await send(`{"email":"a@b","password":"x","${key}":{"key":"x"}}`)).status).toBe(400);
    expect((await send(`{"email":"a@b","password":"${'x'.repeat(16_384)}"}`)).code).toBe('body_too_large');
    expect((await send('email=a%40b&password=x', 'application/x-www-form-urlencoded')).code).toBe(
      'content_type_not_json',
    );
    expect((await send('{"email":"a@b","password":"x"}', 'text/plain')).code).toBe('content_type_not_json');
  });

  it('is limited for one address from anywhere, and for nobody else', async () => {
    const acme = await server.tenant();
    const [kim, lee] = [await people.join(acme), await people.join(acme)];
    const headers = await people.session(kim, acme);
    const guess = () => people.signIn({ email: kim.email, password: 'password-of-nobody' });
    const parallel = await Promise.all(Array.from({ length: 20 }, guess));
    expect(parallel.map(({ status }) => status)).toEqual(parallel.map(() => 401));
    const throttled = [
      await guess(),
      await people.signIn(kim),
      await people.signIn({ ...kim, email: kim.email.toUpperCase() }),
    ];
    for (const { status, body, headers: answered } of throttled) {
      const seconds = Number(answered['retry-after']);
      expect(seconds).toBeGreaterThan(0);
      const message = `Too many sign-ins with this e-mail address have failed. Try again in ${seconds} seconds.`;
      expect([status, body]).toEqual([429, problem(429, 'user_throttled', message)]);
    }
    expect((await people.signIn(lee)).status).toBe(201);
    expect((await people.send('GET', '/session', { headers })).status).toBe(200);
    expect((await people.send('POST', '/session', { body: { key: acme.key } })).status).toBe(201);
    expect((await acme.get('/session')).status).toBe(200);
  }, 120_000);

  it('is limited for one network, in which nothing else is delayed', async () => {
    const acme = await server.tenant();
    const kim = await people.join(acme);
    const from = '198.51.100.99';
    const guess = (_: unknown, i: number) =>
      people.signIn({ email: `guess-${i}@example.com`, password: 'password-of-nobody' }, undefined, { from });
    const answers = await Promise.all(Array.from({ length: 20 }, guess));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(10).fill(401),
      ...Array(10).fill(429),
    ]);
    expect((await people.signIn(kim, undefined, { from })).body.code).toBe('sign_in_throttled');
    expect((await people.signIn(kim)).status).toBe(201);
  }, 120_000);

  it('returns 503 beyond 20 that wait, while other requests go on', async () => {
    const acme = await server.tenant();
    const kim = await people.join(acme);
    const headers = await people.session(kim, acme);
    let answered = 0;
    const flood = Array.from({ length: 30 }, async (_, i) => {
      const sent = { email: `flood-${i}@example.com`, password: 'password-of-nobody' };
      const answer = await people.signIn(sent);
      answered += 1;
      return answer;
    });
    const [busy] = await Promise.all([Promise.race(flood), acme.get('/accounts')]);
    expect([busy.status, busy.headers['retry-after'], busy.body]).toEqual([
      503,
      '2',
      expect.objectContaining({
        code: 'sign_in_busy',
        detail: 'Too many people are signing in. Try again in a moment.',
      }),
    ]);
    expect((await people.send('GET', '/session', { headers })).status).toBe(200);
    expect(answered).toBeLessThan(30);
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([...Array(20).fill(401), ...Array(10).fill(503)]);
    expect((await people.signIn(kim)).status).toBe(201);
  }, 120_000);

  it('is in no log, table, metric or response; the log names the address, not the user', async () => {
    const acme = await server.tenant();
    const secret = `password-of-nobody-${acme.id}`;
    const kim = await people.join(acme);
    await people.signIn(kim);
    await people.signIn({ email: kim.email, password: secret });
    await people.signIn({ email: secret, password: secret });
    await people.send('POST', '/session', { body: { email: kim.email, password: secret, extra: secret } });
    const lines = server.log.filter(({ msg }) => msg === 'sign-in failed').slice(-2);
    for (const line of lines)
      expect(line).toEqual({
        level: 40,
        time: expect.any(Number),
        pid: expect.any(Number),
        hostname: expect.any(String),
        id: 'r',
        address: expect.stringMatching(/^10\.1\./),
        problem: 'sign_in_failed',
        msg: 'sign-in failed',
      });
    const metrics = metricsIn((await server.app.inject('/metrics')).body);
    expect(
      metrics['account_sync_http_requests_total{operation="sign-in",method="POST",status="401"}'],
    ).toBeGreaterThan(1);
    const everything = JSON.stringify([server.log, metrics, await dumpTables(server.databaseUrl)]);
    for (const text of [secret, kim.password]) expect(everything).not.toContain(text);
  });
});
