import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { childrenOf } from '../support/children-of.js';
import { environment, freshDirectory, Service } from '../support/service.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { version } = JSON.parse(read('package.json'));
/** Packing and installing write many files. */
const LONG = 600_000;
const directories: string[] = [];
let cache: string;

beforeAll(async () => {
  cache = await promisify(execFile)('npm', ['config', 'get', 'cache']).then(({ stdout }) => stdout.trim());
});
afterAll(() => Promise.all(directories.map((one) => rm(one, { recursive: true, force: true }))));

async function directory(): Promise<string> {
  const path = await freshDirectory();
  directories.push(path);
  return path;
}

/** Runs a program, without settings that `npm test` passes on to its processes. */
async function run(
  cwd: string,
  program: string,
  args: readonly string[],
  settings: Record<string, string> = {},
) {
  const env = Object.entries(environment(settings)).filter(
    ([name]) => !/^npm_(?!config_registry)/i.test(name),
  );
  return promisify(execFile)(program, args, { cwd, env: Object.fromEntries(env), maxBuffer: 2 ** 26 });
}

/** A copy of the files of the project as in a clone, with nothing installed. */
async function clone(): Promise<string> {
  const copy = await directory();
  const { stdout } = await run(ROOT, 'git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    await cp(join(ROOT, file), join(copy, file));
  }
  return copy;
}

/** Packs, and returns the path of the file. */
async function pack(copy: string, ...options: string[]): Promise<string> {
  const to = await directory();
  await run(copy, 'npm', ['pack', '--pack-destination', to, ...options], { npm_config_cache: cache });
  return join(to, (await readdir(to))[0] as string);
}

/** Installs a file in an empty directory, with an empty home and cache and without a network. */
async function install(file: string): Promise<string> {
  const project = await directory();
  const output = await run(project, 'npm', ['install', '--offline', '--cache', await directory(), file], {
    HOME: await directory(),
  });
  expect(output.stderr).not.toContain('npm warn');
  return project;
}

let copy: string;
let service: Service;
let project: string;
let tarball: string;
/** The key of the first start. */
let key: string;
beforeAll(async () => {
  copy = await clone();
  tarball = await pack(copy);
  project = await install(tarball);
}, LONG);

const program = () => join(project, 'node_modules/.bin/account-sync');
const serve = async () => {
  const started = await Service.start({}, [
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
  it('has the built program, what operators need, and every dependency, but no sources', async () => {
    const { stdout } = await run(ROOT, 'tar', ['--list', '--file', tarball]);
    const files = stdout
      .trim()
      .split('\n')
      .map((path) => path.replace('package/', ''));
    const own = files.filter((path) => !path.startsWith('node_modules/'));
    const built =
      /^dist\/(main|version|config|(cli|delivery|domain|formats|http|store|wire)\/.+)\.js$|^dist\/console\//;
    expect(own.filter((path) => !built.test(path) && !path.startsWith('deploy/')).toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'bin/account-sync.js',
      'package.json',
    ]);
    expect(own).toEqual(
      expect.arrayContaining(['dist/main.js', 'dist/console/index.html', 'deploy/account-sync.service']),
    );
    expect(files.filter((path) => path.startsWith('node_modules/@account-sync/'))).toContain(
      'node_modules/@account-sync/client/dist/index.js',
    );
  });

  it('installs the locked versions of its dependencies, and neither compilers nor packages of tests', async () => {
    const { packages } = JSON.parse(read('package-lock.json'));
    const inside = join(project, 'node_modules/account-sync');
    const wanted = Object.keys(packages).filter((path) => packages[path].inBundle && !packages[path].link);
    const versionOf = async (path: string) =>
      JSON.parse(await readFile(join(inside, path, 'package.json'), 'utf8'));
    for (const path of wanted) expect((await versionOf(path)).version).toBe(packages[path].version);
    const { stdout } = await run(project, 'npm', ['ls', '--all', '--parseable']);
    expect(stdout.trim().split('\n')).toHaveLength(wanted.length + 3);
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
