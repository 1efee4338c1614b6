import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { dumpLasting } from '../support/dump-tables.js';
import { Browsers, UNAUTHENTICATED } from './browsers.js';
import { People } from './people.js';
import { at, eventually, problem, useServer } from './v2-server.js';

const HOUR = 3_600_000;
const noSession = (id: string) => problem(404, 'not_found', `There is no session ${id}.`);

describe.each(databases)('own sessions on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);
  const people = new People(server);
  const get = (headers: Record<string, string>) => people.send('GET', '/session', { headers });

  it('are listed, newest first, in all tenants, with browser and time, and without what is secret', async () => {
    const [acme, trial] = [await server.tenant(), await server.tenant()];
    const kim = await people.join(acme);
    await people.joinAlso(kim, trial);
    const stranger = await people.join(acme);
    await people.session(stranger, acme);
    const first = await people.session(kim, acme, 'first-of-kim');
    server.now += 5;
    const headers = { 'user-agent': `Browser/${'1'.repeat(300)}` };
    const signedIn = await people.signIn(kim, trial.name, { headers });
    expect(signedIn.status).toBe(201);
    const { status, body } = await people.send('GET', '/sessions', { headers: first });
    const listed = { last_used_at: null };
    expect([status, body]).toEqual([
      200,
      {
        data: [
          {
            ...listed,
            id: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
            tenant: trial.name,
            browser: `Browser/${'1'.repeat(192)}`,
            is_current: false,
            created_at: at(5),
            expires_at: at(12 * HOUR + 5),
          },
          {
            ...listed,
            id: 'first-of-kim',
            tenant: acme.name,
            browser: null,
            is_current: true,
            created_at: at(),
            expires_at: at(12 * HOUR),
          },
        ],
      },
    ]);
    server.now += 12 * HOUR - 5;
    const later = await people.session(kim, acme, 'later-of-kim');
    const { data } = (await people.send('GET', '/sessions', { headers: later })).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual(['later-of-kim', body.data[0].id]);
  });

  it('of a key are those of its browsers', async () => {
    const acme = await server.tenant();
    const browsers = new Browsers(server);
    const browser = await browsers.session(acme.key);
    const kim = await people.join(acme, 'admin');
    await people.session(kim, acme);
    const byKey = (await acme.get('/sessions')).body.data;
    expect(byKey).toMatchObject([{ tenant: acme.name, is_current: false }]);
    expect((await people.send('GET', '/sessions', { headers: browser })).body.data).toEqual([
      { ...byKey[0], is_current: true },
    ]);
  });

  it('end one at a time, in every process within a second', async () => {
    const acme = await server.tenant();
    const kim = await people.join(acme);
    const [current, ended, kept] = [
      await people.session(kim, acme),
      await people.session(kim, acme, `ended-${kim.id}`),
      await people.session(kim, acme),
    ];
    const other = await server.another();
    const there = async (headers: Record<string, string>) =>
      (await other.app.inject({ url: '/api/v2/session', headers })).statusCode;
    expect(await there(ended)).toBe(200);
    const path = `/sessions/ended-${kim.id}`;
    const answer = await people.send('DELETE', path, { headers: current });
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    expect((await get(ended)).body).toEqual(UNAUTHENTICATED);
    await eventually(async () => expect(await there(ended)).toBe(401));
    for (const headers of [current, kept]) expect((await get(headers)).status).toBe(200);
    expect((await people.send('DELETE', path, { headers: current })).body).toEqual(
      noSession(`ended-${kim.id}`),
    );
    await other.stop();
  });

  it('of others are not found, whoever asks', async () => {
    const [acme, trial] = [await server.tenant(), await server.tenant()];
    const kim = await people.join(acme);
    const id = `of-${kim.id}`;
    const headers = await people.session(kim, acme, id);
    const admin = await people.session(await people.join(acme, 'admin'), acme);
    const elsewhere = await people.session(await people.join(trial, 'admin'), trial);
    const before = await dumpLasting(server.databaseUrl);
    const answers = [
      await people.send('DELETE', `/sessions/${id}`, { headers: admin }),
      await people.send('DELETE', `/sessions/${id}`, { headers: elsewhere }),
      await acme.call('DELETE', `/sessions/${id}`),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual([404, noSession(id)]);
    expect(await dumpLasting(server.databaseUrl)).toEqual(before);
    expect((await get(headers)).status).toBe(200);
  });

  it('end all at once but the current one, also in other tenants, and those of nobody else', async () => {
    const [acme, trial] = [await server.tenant(), await server.tenant()];
    const kim = await people.join(acme);
    await people.joinAlso(kim, trial);
    const other = await people.session(await people.join(acme), acme);
    const current = await people.session(kim, acme);
    const ended = [await people.session(kim, acme), await people.session(kim, trial)];
    const { status, body } = await people.send('DELETE', '/sessions', { headers: current });
    expect([status, body]).toEqual([200, { ended: 2 }]);
    for (const headers of ended) expect((await get(headers)).body).toEqual(UNAUTHENTICATED);
    for (const headers of [current, other]) expect((await get(headers)).status).toBe(200);
    expect((await people.send('DELETE', '/sessions', { headers: current })).body).toEqual({ ended: 0 });
  });

  it('have a last use, once it is written', async () => {
    const acme = await server.tenant();
    const kim = await people.join(acme);
    const headers = await people.session(kim, acme);
    const other = await server.another();
    expect((await other.app.inject({ url: '/api/v2/session', headers })).statusCode).toBe(200);
    // A server that ends writes what it has counted.
    await other.stop();
    const { body } = await people.send('GET', '/sessions', { headers });
    expect(body.data).toMatchObject([{ is_current: true, last_used_at: at() }]);
    expect((await acme.get('/users')).body.data).toMatchObject([{ id: kim.id, last_used_at: at() }]);
  });

  it('are at most 50 a user', async () => {
    const acme = await server.tenant();
    const kim = await people.join(acme);
    const first = await people.session(kim, acme);
    for (let i = 0; i < 50; i += 1) {
      server.now += 1;
      await people.session(kim, acme);
    }
    const last = await people.session(kim, acme);
    expect((await get(first)).body).toEqual(UNAUTHENTICATED);
    expect((await people.send('GET', '/sessions', { headers: last })).body.data).toHaveLength(50);
  });
});
