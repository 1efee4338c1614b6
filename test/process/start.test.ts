import { execFile } from 'node:child_process';
import { cp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allMigrations } from '../../dist/store/migrations/all-migrations.js';
import { openStore } from '../../dist/store/open-store.js';
import { freshDirectory, run, Service } from '../support/service.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OWN_KEY = 'an-operator-brings-this-key-0123456789';

let dataDir: string;
beforeEach(async () => {
  dataDir = await freshDirectory();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const settings = (others: Record<string, string> = {}) => ({ ACCOUNT_SYNC_DATA_DIR: dataDir, ...others });

describe('the first start', () => {
  it('says where it listens and stores, shows a key, and a curl line that works when pasted', async () => {
    const service = await Service.start(settings());
    const { stdout } = service.output;
    expect(stdout).toContain(
      `  Address  ${service.url}\n  Store    SQLite, ${join(dataDir, 'account-sync.db')}\n`,
    );
    expect(service.key).toMatch(/^acs_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    const line = stdout.split('\n').find((text) => text.startsWith('curl '));
    const pasted = await promisify(execFile)('sh', ['-c', `${line} --silent`]);
    expect(pasted.stdout).toBe('{"success":true}');
    expect(await service.stop()).toBe(0);
  });

  it('shows the key once: the second start says where it came from and how to make another', async () => {
    const first = await Service.start(settings());
    const { key } = first;
    await first.stop();
    const second = await Service.start(settings());
    const { stdout } = second.output;
    expect(stdout).not.toContain(key);
    expect(stdout).not.toContain('curl ');
    expect(stdout).toContain(
      `API key  ${key.slice(4, 12)} of tenant default, generated at the first start (`,
    );
    expect(stdout).toContain(
      'Make another: npx account-sync key create default --label console --scope sync read admin\n',
    );
    expect(await post(second.url, key)).toBe(200);
    await second.stop();
  });

  it('takes the key that the operator brings, and does not print it', async () => {
    const own = settings({ ACCOUNT_SYNC_API_KEY: OWN_KEY });
    const first = await Service.start(own);
    expect(await post(first.url, OWN_KEY)).toBe(200);
    expect(first.output.stdout).toContain('API key  the one in ACCOUNT_SYNC_API_KEY\n');
    expect(first.output.stdout).toContain('Bearer $ACCOUNT_SYNC_API_KEY"');
    expect(JSON.stringify(first.output)).not.toContain(OWN_KEY);
    await first.stop();
    const second = await Service.start(own);
    expect(second.output.stdout).toContain('taken from ACCOUNT_SYNC_API_KEY at the first start (');
    await second.stop();
    const third = await Service.start(settings({ ACCOUNT_SYNC_API_KEY: `${OWN_KEY}-another` }));
    expect(third.output.stdout).toContain(
      'API key  ACCOUNT_SYNC_API_KEY is not in use: it counts at the first start',
    );
    expect(await post(third.url, `${OWN_KEY}-another`)).toBe(401);
    await third.stop();
  });
});

describe('npm start', () => {
  it('neither installs nor builds what is up to date', async () => {
    const built = await stat(join(ROOT, 'dist/.built'));
    const service = await Service.start(settings(), ['npm', 'start', '--prefix', ROOT]);
    expect(await post(service.url, service.key)).toBe(200);
    expect(service.output.stderr).not.toMatch(/Installing|Building/);
    expect((await stat(join(ROOT, 'dist/.built'))).mtimeMs).toBe(built.mtimeMs);
    await service.stop();
  });

  it('builds a fresh copy of the sources', async () => {
    const copy = join(dataDir, 'copy');
    for (const name of ['bin', 'console', 'src', 'package.json', 'package-lock.json', 'tsconfig.json']) {
      await cp(join(ROOT, name), join(copy, name), { recursive: true });
    }
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    const service = await Service.start(settings(), ['npm', 'start', '--prefix', copy]);
    expect(service.output.stderr).toContain('Building …\n');
    expect(await post(service.url, service.key)).toBe(200);
    await service.stop();
  }, 180_000);
});

describe('a start that cannot succeed ends with one sentence', () => {
  const failure = async (others: Record<string, string>) => {
    const { status, stdout, stderr } = await run(['serve'], settings({ ACCOUNT_SYNC_PORT: '0', ...others }));
    expect([status, stdout]).toEqual([1, '']);
    return stderr;
  };

  it('where the port is in use, and makes no key that nobody sees', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
    });
    expect(await failure({ ACCOUNT_SYNC_PORT: String(port) })).toBe(
      `Port ${port} on 127.0.0.1 is in use. Stop the program that has it, or set ACCOUNT_SYNC_PORT to a free port.\n`,
    );
    other.close();
    const service = await Service.start(settings());
    expect(service.key).not.toBe('');
    await service.stop();
  });

  it('where the data directory cannot be written', async () => {
    await writeFile(join(dataDir, 'in-the-way'), '');
    const inside = join(dataDir, 'in-the-way', 'data');
    expect(await failure({ ACCOUNT_SYNC_DATA_DIR: inside })).toBe(
      `The data directory ${inside} cannot be written (ENOTDIR). Give this user access to it, or set ACCOUNT_SYNC_DATA_DIR to another directory.\n`,
    );
  });

  it('where a newer version made the database', async () => {
    const newer = { name: 'from the future', run: async () => {} };
    await (await openStore({ database: `sqlite:${dataDir}`, migrations: [...allMigrations, newer] })).close();
    const { length } = allMigrations;
    expect(await failure({})).toBe(
      `The database has schema version ${length + 1}, made by a newer account-sync; this one knows ${length}. Start the newer version, or restore the backup made before the upgrade.\n`,
    );
  });

  it('where another server uses the data directory', async () => {
    const service = await Service.start(settings());
    expect(await failure({})).toBe(
      `Another account-sync server is using ${dataDir}. Stop it first, or set ACCOUNT_SYNC_DATA_DIR to another directory.\n`,
    );
    expect(await post(service.url, service.key)).toBe(200);
    await service.stop();
  });

  it('for each bad setting, all together, and tells no secret', async () => {
    const stderr = await failure({
      ACCOUNT_SYNC_PORT: '80a',
      ACCOUNT_SYNC_MAX_BATCH: '200',
      ACCOUNT_SYNC_API_KEY: 'too-weak-a-secret',
    });
    expect(stderr).toBe(
      'ACCOUNT_SYNC_PORT must be a whole number from 0 to 65535; it is "80a".\n' +
        'ACCOUNT_SYNC_API_KEY must have at least 32 characters.\n' +
        'ACCOUNT_SYNC_MAX_BATCH must be a whole number from 201 to 100000; it is "200".\n',
    );
    expect(await readdir(dataDir)).toEqual([]);
  });
});

async function post(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/api/v1_1/account`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"account_id":"acme"}',
  });
  return response.status;
}
