import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environment, freshDirectory, Service } from '../support/service.js';

const CLIENT = fileURLToPath(new URL('../../client', import.meta.url));
const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8');

/** Each program of the README, with its heading and the output that the README shows for it. */
const programs = [...readme.matchAll(/```(?:js|ts)\n(.*?)```(?:\s*```text\n(.*?)```)?/gs)].map((match) => ({
  heading: readme
    .slice(0, match.index)
    .match(/^## .*$/gm)
    ?.at(-1),
  code: match[1] as string,
  output: match[2],
}));

describe('the programs in the README, one after the other', () => {
  let service: Service;
  let project: string;
  beforeAll(async () => {
    service = await Service.start({
      ACCOUNT_SYNC_DATA_DIR: await freshDirectory(),
      ACCOUNT_SYNC_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
    });
    project = await freshDirectory();
    await mkdir(join(project, 'node_modules', '@account-sync'), { recursive: true });
    await symlink(CLIENT, join(project, 'node_modules', '@account-sync', 'client'));
  });
  afterAll(async () => {
    await service.stopAndRemove();
    await rm(project, { recursive: true, force: true });
  });

  it.each(programs)('$heading', async ({ code, output }) => {
    const env = environment({ ACCOUNT_SYNC_URL: service.url, ACCOUNT_SYNC_KEY: service.key });
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: project,
      env,
    });
    expect(await run).toEqual({ stdout: output ?? '', stderr: '' });
  });
});
