import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hashKey } from '../../dist/domain/api-key.js';
import { openStore } from '../../dist/store/open-store.js';
import { Caller } from '../faults/caller.js';
import { ContinuousLoad } from '../faults/continuous-load.js';
import { LoadStatistics } from '../faults/load-statistics.js';
import { StoredAccounts } from '../faults/stored-accounts.js';
import { childrenOf } from '../support/children-of.js';
import { type Database, emptyPostgres } from '../support/databases.js';
import { freshDirectory, run, Service } from '../support/service.js';

describe('a server with several workers', () => {
  let database: Database;
  beforeAll(async () => {
    database = await emptyPostgres();
  });
  afterAll(() => database.remove());

  const start = (settings: Record<string, string> = {}) =>
    Service.start({ ...database.settings, ACCOUNT_SYNC_WORKERS: '3', ...settings });
  const workersOf = (service: Service) => childrenOf(service.pid);

  it('serves with all workers on one port, and shows one key', async () => {
    const service = await start();
    const statistics = new LoadStatistics();
    const caller = new Caller(service.url, service.key, statistics);
    const load = new ContinuousLoad(caller, 'workers');
    const seen = () => new Set(service.output.stderr.match(/"worker":\d+,"id"/g));
    await vi.waitUntil(() => seen().size === 3 && statistics.acknowledged > 300, { timeout: 30_000 });
    expect(workersOf(service)).toHaveLength(3);
    caller.isDying = true;
    expect(await service.stop()).toBe(0);
    await load.stop();
    expect(service.output.stdout.match(/API key/g)).toHaveLength(1);
    const stored = await StoredAccounts.open(database.url, statistics);
    await stored.compare(load.sent);
    await stored.close();
    expect([stored.problems, statistics.unexpected, statistics.failed]).toEqual([[], [], 0]);
  });

  it('replaces a worker that dies', async () => {
    const service = await start({ ACCOUNT_SYNC_WORKERS: '2' });
    const [first = 0] = workersOf(service);
    process.kill(first, 'SIGKILL');
    await vi.waitUntil(() => workersOf(service).length === 2 && !workersOf(service).includes(first), {
      timeout: 30_000,
    });
    await vi.waitUntil(() => service.output.stderr.includes('"worker":3,"msg":"Server listening'), {
      timeout: 30_000,
    });
    expect(service.output.stderr).toContain(
      '"worker":1,"code":null,"signal":"SIGKILL","msg":"a worker exited; starting another"',
    );
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(await service.stop('SIGINT')).toBe(0);
  });

  it('replaces all workers on the same port if all die together', async () => {
    const service = await start({ ACCOUNT_SYNC_WORKERS: '2' });
    for (const worker of workersOf(service)) process.kill(worker, 'SIGKILL');
    const isReady = async () => {
      // A connection to a worker that died may never get a response.
      const signal = AbortSignal.timeout(1_000);
      return fetch(`${service.url}/readyz`, { signal }).then(
        ({ status }) => status === 200,
        () => false,
      );
    };
    await vi.waitUntil(isReady, { timeout: 30_000 });
    expect(await service.stop()).toBe(0);
  });

  it('exits if it cannot create its first tenant', async () => {
    const other = await emptyPostgres();
    const key = 'k'.repeat(32);
    const store = await openStore({ database: other.url });
    // A start creates the first tenant next to this one only; the key already exists.
    await store.directory.createTenant('demo', {}, 1, {
      id: 'demo',
      hash: hashKey(key),
      scopes: ['sync'],
      label: '',
      createdAt: 1,
      expiresAt: null,
    });
    await store.close();
    const settings = { ...other.settings, ACCOUNT_SYNC_WORKERS: '2', ACCOUNT_SYNC_PORT: '0' };
    expect(await run(['serve'], { ...settings, ACCOUNT_SYNC_API_KEY: key })).toMatchObject({ status: 1 });
    await other.remove();
  });

  it('reports once why it cannot listen, and exits with 1', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const settings = { ...database.settings, ACCOUNT_SYNC_WORKERS: '3', ACCOUNT_SYNC_PORT: String(port) };
    expect(await run(['serve'], settings)).toEqual({
      status: 1,
      stdout: '',
      stderr: `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or set ACCOUNT_SYNC_PORT to a free port.\n`,
    });
    other.close();
  });

  it('is rejected with SQLite', async () => {
    const settings = { ACCOUNT_SYNC_DATA_DIR: await freshDirectory(), ACCOUNT_SYNC_WORKERS: '2' };
    expect(await run(['serve'], settings)).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'ACCOUNT_SYNC_WORKERS must be 1 with SQLite, which supports one server process. For more workers, set DATABASE_URL to a PostgreSQL database.\n',
    });
  });
});

describe('servers that start together on an empty database', () => {
  it('create one tenant and one key, and one of them shows it', async () => {
    const database = await emptyPostgres();
    const services = await Promise.all(Array.from({ length: 4 }, () => Service.start(database.settings)));
    const keys = services.map(({ key }) => key).filter((key) => key !== '');
    expect(keys).toHaveLength(1);
    for (const { url } of services) {
      const response = await fetch(`${url}/api/v1_1/account`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys[0]}`, 'content-type': 'application/json' },
        body: '{"account_id":"acme"}',
      });
      expect(await response.text()).toBe('{"success":true}');
    }
    await Promise.all(services.map((service) => service.stop()));
    await database.remove();
  });
});

describe('a setting that the command line changes', () => {
  it('applies in every process within a second', async () => {
    const database = await emptyPostgres();
    const services = await Promise.all(Array.from({ length: 2 }, () => Service.start(database.settings)));
    const key = services.map((service) => service.key).join('');
    const post = async ({ url }: Service) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: '{"account_id":"test-1"}' };
      return (await fetch(`${url}/api/v1_1/account`, init)).status;
    };
    expect(await Promise.all(services.map(post))).toEqual([200, 200]);
    const store = await openStore({ database: database.url });
    const { id = 0 } = (await store.directory.findTenant({ name: 'default' })) ?? {};
    await store.directory.blocked.add(id, 'test-1');
    const changedAt = performance.now();
    // Queries all the time, so that each process uses its cache.
    while (performance.now() - changedAt < 1_000) await Promise.all(services.map(post));
    expect(await Promise.all(services.map(post))).toEqual([400, 400]);
    await store.close();
    await Promise.all(services.map((service) => service.stop()));
    await database.remove();
  });
});
