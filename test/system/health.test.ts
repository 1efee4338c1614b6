import { readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { freshDirectory, run, Service, start } from '../support/service.js';

describe('health', () => {
  let service: Service;
  let port: string;
  beforeAll(async () => {
    service = await Service.start({
      ACCOUNT_SYNC_DATA_DIR: await freshDirectory(),
      ACCOUNT_SYNC_HOST: '0.0.0.0',
    });
    port = new URL(service.url).port;
  });
  afterAll(() => service.stopAndRemove());

  it.each(['127.0.0.1', 'localhost', '0.0.0.0', '::'])(
    'asks the server of the settings on %s',
    async (host) => {
      const reachable = host === 'localhost' ? host : '127.0.0.1';
      expect(await run(['health'], { ACCOUNT_SYNC_HOST: host, ACCOUNT_SYNC_PORT: port })).toEqual({
        status: 0,
        stdout: `http://${reachable}:${port} is ready.\n`,
        stderr: '',
      });
    },
  );

  it('checks another address, and prints JSON', async () => {
    const { status, stdout } = await run(['health', '--url', `${service.url}/`, '--json'], {});
    expect([status, JSON.parse(stdout)]).toEqual([0, { url: service.url, ready: true, warnings: [] }]);
  });

  it('loads no database and no HTTP server', async () => {
    const NODE_V8_COVERAGE = await freshDirectory();
    await start(['health', '--url', service.url], { NODE_V8_COVERAGE }).finished;
    const [report = ''] = await readdir(NODE_V8_COVERAGE);
    const { result } = JSON.parse(await readFile(join(NODE_V8_COVERAGE, report), 'utf8'));
    const loaded: string[] = result.map(({ url }: { url: string }) => url);
    expect(loaded).toContainEqual(expect.stringContaining('/dist/cli/commands/health.js'));
    expect(
      loaded.filter((url) => /node_modules\/(pg|@photostructure|kysely|fastify|pino)\//.test(url)),
    ).toEqual([]);
    await rm(NODE_V8_COVERAGE, { recursive: true, force: true });
  });

  it('rejects an invalid address and an unknown port', async () => {
    const noAddress = await run(['health', '--url', 'localhost:8080'], {});
    expect([noAddress.status, noAddress.stderr]).toEqual([
      1,
      expect.stringContaining('Use the form http://host:port.'),
    ]);
    expect(await run(['health'], { ACCOUNT_SYNC_PORT: '0' })).toMatchObject({
      status: 1,
      stderr: 'ACCOUNT_SYNC_PORT is 0, so the port is unknown. Give the address with --url.\n',
    });
  });

  it('fails if another server responds', async () => {
    expect(await run(['health', '--url', `${service.url}/elsewhere`], {})).toEqual({
      status: 1,
      stdout: '',
      stderr: `${service.url}/elsewhere is not ready: status 404.\n`,
    });
  });
});

describe('health without a server', () => {
  it('fails immediately if nothing listens', async () => {
    const service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
    await service.stopAndRemove();
    const { status, stderr } = await run(['health', '--url', service.url, '--json'], {});
    const address = new URL(service.url).host;
    expect([status, JSON.parse(stderr)]).toEqual([
      1,
      { error: `${service.url} cannot be reached: connect ECONNREFUSED ${address}.` },
    ]);
  });

  it('fails after three seconds without a response', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    const port = await new Promise<number>((resolve) => {
      silent.once('listening', () => resolve((silent.address() as AddressInfo).port));
    });
    expect(await run(['health'], { ACCOUNT_SYNC_PORT: String(port) })).toEqual({
      status: 1,
      stdout: '',
      stderr: `http://127.0.0.1:${port} cannot be reached: no response within 3 seconds.\n`,
    });
    silent.close();
  });
});

describe('health of a server whose database goes away', () => {
  let postgres: PostgresServer;
  let service: Service;
  beforeAll(async () => {
    postgres = await PostgresServer.start();
    service = await Service.start({
      ACCOUNT_SYNC_DATA_DIR: await freshDirectory(),
      DATABASE_URL: await postgres.createDatabase(),
    });
  });
  afterAll(async () => {
    await service.stopAndRemove();
    await postgres.remove();
  });

  it('fails with a reason, and succeeds again when the database is back', async () => {
    const health = () => run(['health', '--url', service.url], {});
    expect((await health()).status).toBe(0);
    await postgres.stop();
    expect(await health()).toEqual({
      status: 1,
      stdout: '',
      stderr: `${service.url} is not ready: The database does not answer.\n`,
    });
    await postgres.resume();
    await vi.waitUntil(async () => (await health()).status === 0, { timeout: 30_000 });
  });
});
