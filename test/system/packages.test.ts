import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AccountSync } from '@account-sync/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { childrenOf } from '../support/children-of.js';
import { CookieBrowser } from '../support/cookie-browser.js';
import { freshPostgres } from '../support/databases.js';
import { CLIENT, OpenIdProvider } from '../support/openid-provider.js';
import { Service, type Settings } from '../support/service.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { clone, directory, install, LONG, pack, ROOT, read, removeDirectories, run } from './packing.js';

/** The licences of what is in the bundles. */
const PERMISSIVE = ['Apache-2.0', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'];

const { version } = JSON.parse(read('package.json'));

let copy: string;
let service: Service;
let project: string;
let tarball: string;
/** The key of the first start. */
let key: string;
afterAll(removeDirectories);
beforeAll(async () => {
  copy = await clone();
  tarball = await pack(copy);
  project = await install(tarball);
}, LONG);

const program = () => join(project, 'node_modules/.bin/account-sync');
const serve = async (settings: Settings = {}) => {
  const started = await Service.start(settings, [
    'sh',
    '-c',
    `cd '${project}' && exec '${program()}' serve`,
    'serve',
  ]);
  onTestFinished(async () => void (await started.stop()));
  return started;
};

/** npx passes a signal on to the shell that it starts, which ends without its own child. */
function innermostChildOf(pid: number): number {
  const [child] = childrenOf(pid);
  return child === undefined ? pid : innermostChildOf(child);
}

async function expectToServe(): Promise<void> {
  expect(await service.upsertAccount(key)).toBe(200);
  const page = await (await fetch(`${service.url}/console`)).text();
  const script = /src="([^"]+\.js)"/.exec(page)?.[1];
  expect((await fetch(`${service.url}${script}`)).status).toBe(200);
  expect((await fetch(`${service.url}/docs/static/index.html`)).status).toBe(200);
}

describe('the package', () => {
  it('has the bundled program with the licences of its libraries, and what operators need', async () => {
    const { stdout } = await run(ROOT, 'tar', ['--list', '--file', tarball]);
    const own = stdout
      .trim()
      .split('\n')
      .map((path) => path.replace('package/', ''))
      .filter((path) => !path.startsWith('node_modules/'));
    const built = /^program\/([\w-]+\.js$|console\/|swagger-ui\/)|^deploy\//;
    expect(own.filter((path) => !built.test(path)).toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'bin/account-sync.js',
      'package.json',
      'program/LICENSES.txt',
    ]);
    expect(own).toEqual(
      expect.arrayContaining([
        'program/main.js',
        'program/console/index.html',
        'deploy/account-sync.service',
      ]),
    );
    const inside = join(project, 'node_modules/account-sync');
    const licences = await readFile(join(inside, 'program/LICENSES.txt'), 'utf8');
    const named = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+\S*, (.+)$/gm)];
    expect(named.map(([, name]) => name)).toEqual(
      expect.arrayContaining(['@fastify/static', 'commander', 'fastify', 'kysely', 'pg', 'pino', 'typebox']),
    );
    expect([...new Set(named.map(([, , licence]) => licence))].toSorted()).toEqual(PERMISSIVE);
    const { dependencies } = JSON.parse(read('package.json'));
    expect(Object.keys(dependencies).filter((name) => licences.includes(`\n${name} `))).toEqual([]);
  });

  it('installs the locked versions of its dependencies, and neither compilers nor packages of tests', async () => {
    const { packages } = JSON.parse(read('package-lock.json'));
    const inside = join(project, 'node_modules/account-sync');
    const wanted = Object.keys(packages).filter((path) => packages[path].inBundle && !packages[path].link);
    const versionOf = async (path: string) =>
      JSON.parse(await readFile(join(inside, path, 'package.json'), 'utf8'));
    for (const path of wanted) expect((await versionOf(path)).version).toBe(packages[path].version);
    const { stdout } = await run(project, 'npm', ['ls', '--all', '--parseable']);
    expect(stdout.trim().split('\n')).toHaveLength(wanted.length + 2);
    expect(await readdir(join(project, 'node_modules'))).toEqual([
      '.bin',
      '.package-lock.json',
      'account-sync',
    ]);
  });

  it('serves with npx, and keeps its data in the directory where it is started', async () => {
    service = await Service.start({}, [
      'sh',
      '-c',
      `cd '${project}' && exec npx account-sync serve`,
      'serve',
    ]);
    key = service.key;
    await expectToServe();
    expect(await readdir(join(project, 'data'))).toContain('account-sync.db');
    process.kill(innermostChildOf(service.pid), 'SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it(
    'has commands that find this data',
    async () => {
      service = await serve();
      const created = await run(project, 'npx', [
        'account-sync',
        'key',
        'create',
        'default',
        '--scope',
        'sync',
        'read',
      ]);
      const caller = {
        ACCOUNT_SYNC_URL: service.url,
        ACCOUNT_SYNC_KEY: /acs_\w+/.exec(created.stdout)?.[0] ?? '',
      };
      await writeFile(join(project, 'accounts.csv'), 'account_id,name\nglobex,Globex\n');
      await run(project, 'npx', ['account-sync', 'import', 'accounts.csv'], caller);
      expect((await run(project, 'npx', ['account-sync', 'export'], caller)).stdout).toContain('Globex');
      expect((await run(project, 'npx', ['account-sync', 'demo'], caller)).stdout).toMatch(/acs_/);
      const { stdout } = await run(project, 'npx', ['account-sync', 'doctor'], {
        ACCOUNT_SYNC_PORT: new URL(service.url).port,
      });
      expect(stdout).toContain('account-sync.db');
    },
    LONG,
  );
});

describe('the bundled program', () => {
  const post = (path: string, body: string, by = key) =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
      body,
    });
  const keyFor = async (tenant: string, settings: Settings = {}) => {
    const args = ['key', 'create', tenant, '--scope', 'sync', 'read', 'admin', '--json'];
    return JSON.parse((await run(project, program(), args, settings)).stdout).key as string;
  };
  const batch = JSON.stringify(
    Array.from({ length: 200 }, (_, at) => ({ account_id: `large-${at}`, name: 'x'.repeat(100) })),
  );

  it('has its threads, and the libraries that are loaded when they are needed', async () => {
    service = await serve({ ACCOUNT_SYNC_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' });
    expect(await (await post('/api/v1_1/account', '{"a":}')).text()).toContain(
      'unexpected character at line 1, column 6.',
    );
    await run(project, program(), ['tenant', 'create', 'sites', '--account-ids', 'domain']);
    const sites = await keyFor('sites');
    const statuses = ['acme.co.uk', 'co.uk'].map(async (id) => {
      const { status } = await post('/api/v1_1/account', JSON.stringify({ account_id: id }), sites);
      return status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 400]);
    const receiver = await WebhookReceiver.start();
    const client = new AccountSync({ url: service.url, key: await keyFor('default') });
    await client.webhooks.create({ url: receiver.url });
    expect((await post('/api/v1_1/accounts', batch)).status).toBe(200);
    const received = () => receiver.messages.flatMap(({ events }) => events).length;
    await expect.poll(received, { timeout: 20_000 }).toBe(200);
    await run(project, program(), ['backup', 'copy.backup']);
    const { stdout } = await run(project, program(), ['verify', 'copy.backup', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, problems: [] });
  });

  it('serves with several processes on PostgreSQL', async () => {
    const database = await freshPostgres();
    onTestFinished(database.remove);
    service = await serve({ ...database.settings, ACCOUNT_SYNC_WORKERS: '2' });
    expect(await service.upsertAccount()).toBe(200);
    expect((await post('/api/v1_1/accounts', batch, service.key)).status).toBe(200);
    const stored = await fetch(`${service.url}/api/v2/accounts?limit=1&count=true`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    expect(await stored.json()).toMatchObject({ data: [{ account_id: 'acme' }] });
  });
});

describe('the package of the client', () => {
  it(
    'runs the first program of its README',
    async () => {
      const ownService = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await directory() });
      onTestFinished(async () => void (await ownService.stop()));
      const client = await install(await pack(copy, '--workspace=client'));
      const [, code = '', output] =
        /```js\n(.*?)```\s*```text\n(.*?)```/s.exec(read('client/README.md')) ?? [];
      const settings = { ACCOUNT_SYNC_URL: ownService.url, ACCOUNT_SYNC_KEY: ownService.key };
      const ran = await run(client, process.execPath, ['--input-type=module', '--eval', code], settings);
      expect(ran).toEqual({ stdout: output, stderr: '' });
      const files = await readdir(join(client, 'node_modules/@account-sync/client'));
      expect(files.toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
      expect(existsSync(join(client, 'node_modules/@account-sync/client/dist/index.d.ts'))).toBe(true);
    },
    LONG,
  );

  it('signs people in at an OpenID provider', async () => {
    const provider = await OpenIdProvider.start();
    onTestFinished(() => provider.stop());
    service = await serve({
      ACCOUNT_SYNC_OIDC_ISSUER: provider.issuer,
      ACCOUNT_SYNC_OIDC_CLIENT_ID: CLIENT.client_id,
      ACCOUNT_SYNC_OIDC_CLIENT_SECRET: CLIENT.client_secret,
      ACCOUNT_SYNC_OIDC_ROLES: '*=default:viewer',
    });
    const callback = '/api/v2/session/oidc/callback';
    provider.register(service.url + callback);
    provider.users.set('kim', { email: 'kim@acme.example', email_verified: true });
    provider.user = 'kim';
    const browser = new CookieBrowser();
    const back = await browser.follow(`${service.url}/api/v2/session/oidc?return_to=/console/runs`, callback);
    expect((await browser.get(back)).headers.get('location')).toBe('/console/runs');
  });
});

describe('what the image keeps of the package', () => {
  it('serves, and has the driver for PostgreSQL', async () => {
    const [, removal = ''] = /^RUN (cd node_modules\/.*?[^\\])\n/ms.exec(read('Dockerfile')) ?? [];
    await run(project, 'sh', ['-c', removal]);
    service = await serve();
    await expectToServe();
    const health = await run(project, program(), ['health', '--url', service.url]);
    expect(health).toEqual({ stdout: `${service.url} is ready.\n`, stderr: '' });
    expect(await service.stop()).toBe(0);
    const settings = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' };
    const { stdout } = await run(project, program(), ['doctor', '--json'], settings).catch(
      (failed) => failed,
    );
    expect(JSON.parse(stdout).findings).toContainEqual(
      expect.objectContaining({
        check: 'database',
        state: 'failed',
        found: expect.stringContaining('ECONNREFUSED'),
      }),
    );
    expect(version).toBe((await run(project, program(), ['--version'])).stdout.trim());
  });
});
