import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environment, freshDirectory, Service } from '../support/service.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const linesOf = (file: string) => readFileSync(join(ROOT, file), 'utf8').split('\n');

/** The paths that the Dockerfile copies from the project, and those that its last stage copies from earlier stages. */
const copies = linesOf('Dockerfile').filter((line) => line.startsWith('COPY '));
const fromProject = copies
  .filter((line) => !line.includes('--from='))
  .flatMap((line) => line.split(' ').slice(1, -1));
const fromStages = copies.flatMap((line) => /--from=\w+ \/app\/(\S+)/.exec(line)?.[1] ?? []);

describe('the Dockerfile', () => {
  it('copies only existing paths, and .dockerignore allows exactly those', () => {
    expect(fromProject.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const letIn = linesOf('.dockerignore').flatMap((line) => (line.startsWith('!') ? line.slice(1) : []));
    expect(letIn.toSorted()).toEqual([...new Set(fromProject)].sort());
  });

  it('excludes the sources from the image, so that a start builds and installs nothing', () => {
    expect(fromStages.toSorted()).toEqual(['bin', 'client/dist', 'dist', 'node_modules']);
  });
});

describe('a copy of the program as in the image, with production packages only', () => {
  let copy: string;
  let dataDir: string;
  beforeAll(async () => {
    copy = await freshDirectory();
    dataDir = await freshDirectory();
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    const production = Object.keys(packages).filter(
      (path) => path.startsWith('node_modules/') && !packages[path].dev,
    );
    const installed = production.filter((path) => existsSync(join(ROOT, path)));
    const client = ['client/package.json', 'client/dist'];
    for (const path of ['package.json', 'bin', 'dist', ...client, ...installed]) {
      // Keeps the relative link to the client.
      await cp(join(ROOT, path), join(copy, path), { recursive: true, verbatimSymlinks: true });
    }
  });
  afterAll(async () => {
    await rm(copy, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  });

  const program = () => join(copy, 'bin', 'account-sync.js');
  const run = (args: readonly string[], settings: Record<string, string>) =>
    promisify(execFile)(process.execPath, [program(), ...args], { env: environment(settings), cwd: copy });

  it('serves, is healthy, and stops on SIGTERM', async () => {
    const before = await readdir(copy);
    const service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: dataDir }, [
      process.execPath,
      program(),
      'serve',
    ]);
    expect(await run(['health', '--url', service.url], {})).toEqual({
      stdout: `${service.url} is ready.\n`,
      stderr: '',
    });
    const page = await (await fetch(`${service.url}/console`)).text();
    const script = /src="([^"]+\.js)"/.exec(page)?.[1];
    expect((await fetch(`${service.url}${script}`)).status).toBe(200);
    expect(await service.stop()).toBe(0);
    expect(await readdir(copy)).toEqual(before);
  });

  it('has the driver for PostgreSQL', async () => {
    const settings = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' };
    const { stdout } = await run(['doctor', '--json'], settings).catch((failed) => failed);
    const { findings } = JSON.parse(stdout);
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'database',
        state: 'failed',
        found: expect.stringContaining('ECONNREFUSED'),
      }),
    );
  });
});
