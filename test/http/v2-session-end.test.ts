import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { Browsers, UNAUTHENTICATED } from './browsers.js';
import { RunningServer } from './running-server.js';
import { at, eventually, NOON, problem, useServer } from './v2-server.js';

const HOUR = 3_600_000;

describe.each(databases)('a session on %s ends', (_name, createDatabase) => {
  const server = useServer(createDatabase, { sessionHours: 2 });
  const browsers = new Browsers(server);

  it('when it expires', async () => {
    const acme = await server.tenant();
    const browser = await browsers.session(acme.key);
    server.now = NOON + 2 * HOUR - 1;
    expect((await browsers.whoAmI(browser)).status).toBe(200);
    server.now = NOON + 2 * HOUR;
    expect((await browsers.whoAmI(browser)).body).toEqual(UNAUTHENTICATED);
    expect((await acme.get('/session')).status).toBe(200);
  });

  it('when its browser signs out, without ending others', async () => {
    const acme = await server.tenant();
    const [browser, another] = [await browsers.session(acme.key), await browsers.session(acme.key)];
    const { status, body, headers } = await browsers.signOut(browser);
    expect([status, body, headers['set-cookie']]).toEqual([
      204,
      undefined,
      'account_sync_session=; Path=/api/v2; HttpOnly; SameSite=Strict; Max-Age=0',
    ]);
    expect((await browsers.whoAmI(browser)).body).toEqual(UNAUTHENTICATED);
    expect((await browsers.whoAmI(another)).status).toBe(200);
  });

  it('not with a request that uses a key', async () => {
    const acme = await server.tenant();
    const { status, body } = await acme.call('DELETE', '/session');
    expect([status, body]).toEqual([
      409,
      problem(409, 'no_session', 'A key was sent, and no session: there is nothing to sign out of.'),
    ]);
  });

  it('in every process', async () => {
    const acme = await server.tenant();
    const browser = await browsers.session(acme.key);
    const other = await RunningServer.start({
      store: { database: server.databaseUrl },
      clock: () => server.now,
    });
    const there = () => other.app.inject({ url: '/api/v2/session', headers: browser });
    expect((await there()).json()).toMatchObject({ tenant: acme.name, key_id: acme.keyId });
    await browsers.signOut(browser);
    await eventually(async () => expect((await there()).statusCode).toBe(401));
    await other.stop();
  });

  it('with its key', async () => {
    const acme = await server.tenant();
    const revoked = await acme.addKey(['read'], { id: `${acme.keyId}-revoked`, key: 'gone'.repeat(9) });
    const expiring = await acme.addKey(['read'], { id: `${acme.keyId}-expiring`, key: 'soon'.repeat(9) });
    const [first, second] = [await browsers.session(revoked), await browsers.session(expiring)];
    await acme.call('DELETE', `/keys/${acme.keyId}-revoked`);
    expect((await browsers.whoAmI(first)).body).toEqual(UNAUTHENTICATED);
    await acme.call('POST', `/keys/${acme.keyId}-expiring/rotate`, { overlap_hours: 1 });
    expect((await browsers.whoAmI(second)).body.expires_at).toBe(at(HOUR));
    server.now = NOON + HOUR;
    expect((await browsers.whoAmI(second)).body).toEqual(UNAUTHENTICATED);
  });

  it('at the host of another tenant', async () => {
    const acme = await server.tenant();
    const host = 'session.test';
    await server.tenant({ hosts: [host] });
    const browser = await browsers.session(acme.key);
    expect((await browsers.whoAmI({ ...browser, host: 'any.test' })).status).toBe(200);
    await eventually(async () =>
      expect((await browsers.whoAmI({ ...browser, host })).body).toEqual(UNAUTHENTICATED),
    );
  });

  it('with its streams of changes and imports', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a' });
    const browser = await browsers.session(acme.key);
    const port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
    const changes = request({
      port,
      path: '/api/v2/changes',
      headers: { ...browser, accept: 'text/event-stream' },
    }).end();
    const [stream] = (await once(changes, 'response')) as [IncomingMessage];
    expect(stream.statusCode).toBe(200);
    const importing = request({
      port,
      method: 'POST',
      path: '/api/v2/accounts/import',
      headers: { ...browser, 'content-type': 'application/x-ndjson' },
    });
    importing.write('{"account_id":"b"}\n');
    const [results] = (await once(importing, 'response')) as [IncomingMessage];
    await browsers.signOut(browser);
    expect(await text(stream)).toContain('"account_id":"a"');
    importing.end('{"account_id":"c"}\n');
    expect(await text(results)).toContain('"problem":"Record 1: The key is not live any more."');
  }, 20_000);
});
