import { readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { allMigrations } from '../../dist/store/schema/migrations.js';
import { freshDirectory, run, Service } from '../support/service.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = await freshDirectory();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const settings = (others: Record<string, string> = {}) => ({ ACCOUNT_SYNC_DATA_DIR: dataDir, ...others });

describe('a failing start ends with one message', () => {
  const failure = async (others: Record<string, string>) => {
    const { status, stdout, stderr } = await run(['serve'], settings({ ACCOUNT_SYNC_PORT: '0', ...others }));
    expect([status, stdout]).toEqual([1, '']);
    return stderr;
  };

  it('if the port is in use, without creating a key', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
    });
    expect(await failure({ ACCOUNT_SYNC_PORT: String(port) })).toBe(
      `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or set ACCOUNT_SYNC_PORT to a free port.\n`,
    );
    other.close();
    const service = await Service.start(settings());
    expect(service.key).not.toBe('');
    await service.stop();
  });

  it('if the data directory is not writable', async () => {
    await writeFile(join(dataDir, 'in-the-way'), '');
    const inside = join(dataDir, 'in-the-way', 'data');
    expect(await failure({ ACCOUNT_SYNC_DATA_DIR: inside })).toBe(
      `The data directory ${inside} cannot be written (ENOTDIR). Give this user access to it, or set ACCOUNT_SYNC_DATA_DIR to another directory.\n`,
    );
  });

  it('if a newer version created the database', async () => {
    const newer = { name: 'from the future', run: async () => {} };
    await (await openStore({ database: `sqlite:${dataDir}`, migrations: [...allMigrations, newer] })).close();
    const { length } = allMigrations;
    expect(await failure({})).toBe(
      `The database has schema version ${length + 1}, made by a newer account-sync; this one knows ${length}. Start the newer version, or restore the backup made before the upgrade.\n`,
    );
  });

  it('if another server uses the data directory', async () => {
    const service = await Service.start(settings());
    expect(await failure({})).toBe(
      `Another account-sync server is using ${dataDir}. Stop it first, or set ACCOUNT_SYNC_DATA_DIR to another directory.\n`,
    );
    expect(await service.upsertAccount()).toBe(200);
    await service.stop();
  });

  it('for each bad setting, without showing secrets', async () => {
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
