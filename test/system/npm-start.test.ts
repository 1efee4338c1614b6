import { cp, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDirectory, Service } from '../support/service.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let dataDir: string;
beforeEach(async () => {
  dataDir = await freshDirectory();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const settings = () => ({ ACCOUNT_SYNC_DATA_DIR: dataDir });

describe('npm start', () => {
  it('neither installs nor builds what is up to date', async () => {
    const built = await stat(join(ROOT, 'dist/.built'));
    const service = await Service.start(settings(), ['npm', 'start', '--prefix', ROOT]);
    expect(await service.upsertAccount()).toBe(200);
    expect(service.output.stderr).not.toContain('account-sync: ');
    expect((await stat(join(ROOT, 'dist/.built'))).mtimeMs).toBe(built.mtimeMs);
    await service.stop();
  });

  it('builds a fresh copy of the sources', async () => {
    const copy = join(dataDir, 'copy');
    const files = ['package.json', 'package-lock.json', 'tsconfig.json'];
    for (const name of ['bin', 'client', 'console', 'src', ...files]) {
      await cp(join(ROOT, name), join(copy, name), { recursive: true });
    }
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    const service = await Service.start(settings(), ['npm', 'start', '--prefix', copy]);
    expect(service.output.stderr.match(/^account-sync: .*$/gm)).toEqual(['account-sync: building …']);
    expect(await service.upsertAccount()).toBe(200);
    await service.stop();
  }, 180_000);
});
