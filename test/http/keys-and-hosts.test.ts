import { afterEach, describe, expect, it, vi } from 'vitest';
import { RunningServer } from './running-server.js';

const PATH = '/api/v1_1/account';

let server: RunningServer;
afterEach(() => server.stop());

const statusOf = async (key: string, body: object, headers: Record<string, string> = {}) =>
  (await server.post(PATH, key, body, { headers })).statusCode;

describe('a tenant with a host', () => {
  it('is found by the forwarded host of a trusted proxy', async () => {
    server = await RunningServer.start({ config: { trustProxy: true } });
    const own = await server.addTenant('hosted', { hosts: ['acme.example.com'] });
    const foreign = await server.addTenant('other');
    const headers = { host: 'internal:8080', 'x-forwarded-host': 'ACME.example.com' };
    expect(await statusOf(own, { account_id: 'a' }, headers)).toBe(200);
    expect(await statusOf(foreign, { account_id: 'a' }, headers)).toBe(401);
  });

  it('is not bypassed by an invalid forwarded host of a trusted proxy', async () => {
    server = await RunningServer.start({ config: { trustProxy: true } });
    await server.addTenant('hosted', { hosts: ['acme.example.com'] });
    const foreign = await server.addTenant('other');
    for (const sent of ['acme.example.com..', 'acme.example.com/x']) {
      const headers = { host: 'internal:8080', 'x-forwarded-host': sent };
      expect(await statusOf(foreign, { account_id: 'a' }, headers)).toBe(400);
    }
  });

  it('is found by its host name with a trailing dot, too', async () => {
    server = await RunningServer.start();
    await server.addTenant('hosted', { hosts: ['acme.example.com'] });
    const foreign = await server.addTenant('other');
    expect(await statusOf(foreign, { account_id: 'a' }, { host: 'acme.example.com.' })).toBe(401);
  });

  it('ignores the forwarded host if no proxy is trusted', async () => {
    server = await RunningServer.start();
    await server.addTenant('hosted', { hosts: ['acme.example.com'] });
    const foreign = await server.addTenant('other');
    const headers = { host: 'acme.example.com', 'x-forwarded-host': 'elsewhere.example.com' };
    expect(await statusOf(foreign, { account_id: 'a' }, headers)).toBe(401);
  });
});

describe('a change of keys and settings', () => {
  const eventually = (expected: number, key: string, body: object) =>
    vi.waitFor(async () => expect(await statusOf(key, body)).toBe(expected), {
      timeout: 30_000,
      interval: 20,
    });

  it('takes effect in a running server', async () => {
    server = await RunningServer.start();
    const { directory } = server.store;
    const key = await server.addTenant('acme');
    const tenantId = (await directory.findTenant({ name: 'acme' }))?.id ?? 0;
    const account = { account_id: 'acme', custom_Age: 'old' };
    expect(await statusOf(key, account)).toBe(200);
    await directory.attributes.set(tenantId, {
      name: 'custom_Age',
      type: 'integer',
      choices: [],
      readOnly: false,
    });
    await eventually(400, key, account);
    await directory.attributes.remove(tenantId, 'custom_Age');
    await eventually(200, key, account);
    await directory.blocked.add(tenantId, 'acme');
    await eventually(400, key, account);
    await directory.blocked.remove(tenantId, 'acme');
    await eventually(200, key, account);
    await directory.changeTenant(tenantId, { undeclaredFields: 'reject' });
    await eventually(400, key, account);
    await directory.changeTenant(tenantId, { undeclaredFields: 'keep', accountIds: 'domain' });
    await eventually(400, key, account);
    await eventually(200, key, { account_id: 'acme.com' });
    await directory.keys.revoke(tenantId, 'acme', 1);
    await eventually(401, key, { account_id: 'acme.com' });
  });

  it('is not needed for a key to expire', async () => {
    let now = 1_000;
    server = await RunningServer.start({ clock: () => now });
    const key = await server.addTenant('acme', {}, 2_000);
    expect(await statusOf(key, { account_id: 'a' })).toBe(200);
    now = 1_999;
    expect(await statusOf(key, { account_id: 'a' })).toBe(200);
    now = 2_000;
    expect(await statusOf(key, { account_id: 'a' })).toBe(401);
  });
});

describe('the last use of a key', () => {
  it('is stored when the server has stopped', async () => {
    server = await RunningServer.start({ clock: () => 77 });
    const key = await server.addTenant('acme');
    await server.post(PATH, key, { account_id: 'a' });
    await server.app.close();
    const [stored] = await server.store.directory.keys.list(1);
    expect(stored?.lastUsedAt).toBe(77);
  });
});

describe('the history', () => {
  it('names the request, the key, its source and the run that changed an account', async () => {
    server = await RunningServer.start({ clock: () => 77 });
    const key = await server.addTenant('acme');
    await server.post(PATH, key, { account_id: 'A', licenses: '3' }, { headers: { 'x-request-id': 'r-1' } });
    expect(await server.store.history.read(1, 'a')).toEqual([
      {
        revision: 1,
        kind: 'created',
        isErased: false,
        at: 77,
        requestId: 'r-1',
        senderId: 'acme',
        user: null,
        source: 'default',
        runId: 1,
        changes: { licenses: [null, 3] },
      },
    ]);
  });
});
