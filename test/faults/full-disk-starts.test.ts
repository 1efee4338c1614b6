import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { allMigrations } from '../../dist/store/schema/migrations.js';
import { environment, freshDirectory, PROGRAM, Service } from '../support/service.js';
import { SmallDisk, whyNoSmallDisk } from './small-disk.js';

const reason = whyNoSmallDisk();
const name = 'a full disk';

describe.skipIf(reason)(reason === undefined ? name : `${name} (skipped: ${reason})`, () => {
  let directory: string;
  let disk: SmallDisk;
  beforeEach(async () => {
    directory = await freshDirectory();
    disk = await SmallDisk.mount(directory, 8);
  });
  afterEach(async () => {
    await disk.remove();
    await rm(directory, { recursive: true, force: true });
  });

  const command = (...args: string[]) => [...disk.launcher(), process.execPath, PROGRAM, ...args];
  const start = () => Service.start({ ACCOUNT_SYNC_DATA_DIR: directory }, command('serve'));
  const failure = () =>
    `The server exited with 1: The database ${join(directory, 'account-sync.db')} cannot be used: database or disk is full. Its disk has 0 MiB left: free some space.\n`;

  it('prevents the first start, with the reason, until there is space', async () => {
    disk.fill(0);
    await expect(start()).rejects.toThrow(failure());
    disk.free();
    const service = await start();
    expect(await service.stop()).toBe(0);
  });

  it('allows a server to stop, and another to start and read', async () => {
    const first = await start();
    const { key } = first;
    disk.fill(0);
    expect(await first.stop()).toBe(0);
    const second = await start();
    const post = async () => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ account_id: 'acme', name: 'A'.repeat(150) });
      return (await fetch(`${second.url}/api/v1_1/account`, { method: 'POST', headers, body })).status;
    };
    const headers = { authorization: `Bearer ${key}` };
    const accounts = await fetch(`${second.url}/api/v2/accounts`, { headers });
    expect([accounts.status, await post()]).toEqual([200, 500]);
    disk.free();
    expect(await post()).toBe(200);
    expect(await second.stop()).toBe(0);
  });

  it('prevents a migration without a backup, and leaves no partial backup', async () => {
    const older = await freshDirectory();
    const store = await openStore({ database: `sqlite:${older}`, migrations: allMigrations.slice(0, -1) });
    await store.close();
    cpSync(older, disk.path(), { recursive: true });
    // Enough space to start the backup, not to finish it.
    disk.fill(100_000);
    await expect(start()).rejects.toThrow(failure());
    expect(readdirSync(disk.path('backups'))).toEqual([]);
    disk.free();
    const service = await start();
    expect(readdirSync(disk.path('backups'))).toEqual([
      expect.stringMatching(/^account-sync-schema-.*\.db$/),
    ]);
    expect(await service.stop()).toBe(0);
    await rm(older, { recursive: true, force: true });
  });

  it('leaves the database unchanged if a restore has no space for a copy of it', async () => {
    const first = await start();
    await first.stop();
    const backup = join(await freshDirectory(), 'accounts.db');
    const run = (...args: string[]) => {
      const [program = '', ...rest] = command(...args);
      const env = environment({ ACCOUNT_SYNC_DATA_DIR: directory });
      return spawnSync(program, rest, { env, encoding: 'utf8' });
    };
    expect(run('backup', backup).status).toBe(0);
    // Enough space for one of the two files that a restore writes.
    disk.fill(1.5 * statSync(disk.path('account-sync.db')).size);
    const { status, stderr } = run('restore', backup, '--replace');
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^The disk is full: .*\. Free some space and try again\.\n$/),
    ]);
    disk.free();
    expect(run('verify').status).toBe(0);
    expect(run('restore', backup, '--replace').status).toBe(0);
    await rm(dirname(backup), { recursive: true, force: true });
  });
});
