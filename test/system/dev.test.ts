import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { freshDirectory, Service } from '../support/service.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOON = { timeout: 60_000 };

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

it('npm run dev restarts the service with every change, and serves the console beside it', async () => {
  const directory = await freshDirectory();
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const copy = join(directory, 'copy');
  for (const name of [
    'bin',
    'client',
    'console',
    'src',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ]) {
    await cp(join(ROOT, name), join(copy, name), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const consolePort = await freePort();
  const settings = {
    ACCOUNT_SYNC_DATA_DIR: join(directory, 'data'),
    ACCOUNT_SYNC_PORT: await freePort(),
    DEV_CONSOLE_PORT: consolePort,
    ACCOUNT_SYNC_API_KEY: 'key-of-the-operator-------------',
  };
  const service = await Service.start(settings, [process.execPath, join(copy, 'bin/dev.js')]);
  onTestFinished(async () => void (await service.stop()));
  const console = `http://127.0.0.1:${consolePort}`;
  const get = (url: string) =>
    fetch(url).then(
      (response) => response.text(),
      () => '',
    );

  await expect.poll(() => get(`${console}/console/`), SOON).toContain('/@vite/client');
  await expect.poll(() => get(`${console}/openapi.json`), SOON).toContain('"openapi":"3.1.0"');
  const file = join(copy, 'src/http/observability/health.ts');
  await writeFile(file, (await readFile(file, 'utf8')).replace("{ status: 'ok' }", "{ status: 'changed' }"));
  await expect.poll(() => get(`${service.url}/healthz`), SOON).toBe('{"status":"changed"}');
}, 180_000);
