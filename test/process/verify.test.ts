import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Database, databases } from '../databases.js';
import { fillForVerification } from '../fill-for-verification.js';
import { runStatements } from '../released-database.js';
import { run, runJson, Service } from '../service.js';
import { Load } from './load.js';

describe.each(databases)('verify on %s', (name, createDatabase) => {
  let database: Database;
  beforeAll(async () => {
    database = await createDatabase();
    await fillForVerification(database);
  });
  afterAll(() => database.remove());
  const isSqlite = name === 'SQLite';

  it('finds everything in order', async () => {
    const { status, stdout } = await run(['verify'], database.settings);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^accounts +4 +0$/m);
    expect(stdout).toMatch(/^history +21 +0$/m);
    expect(stdout).toMatch(/^indexed values +3 +0$/m);
    expect(stdout).toMatch(/^counts +2 +0$/m);
    expect(stdout).toMatch(/^account_history +21 +[\da-f]{16}$/m);
    expect(stdout).toMatch(/\nEverything in .* fits together\.\n$/);
    expect(/^file +1 +0$/m.test(stdout)).toBe(isSqlite);
  });

  it('lists the first 20 problems, and counts all', async () => {
    const ids = Array.from({ length: 30 }, (_, i) => `(1, 'x-${i}', '{}', 1, 1, 1)`).join(', ');
    await runStatements(
      database,
      `insert into account (tenant_id, account_id, fields, revision, created_at, updated_at) values ${ids}`,
    );
    const { status, stdout } = await run(['verify'], database.settings);
    await runStatements(database, "delete from account where account_id like 'x-%'");
    expect(status).toBe(1);
    expect(stdout.match(/it has no history/g)).toHaveLength(20);
    expect(stdout).toMatch(/\nThere are 31 problems in /);
  });
});

describe.each(databases)('verify beside a server on %s', (_name, createDatabase) => {
  let database: Database;
  beforeEach(async () => {
    database = await createDatabase();
  });

  it('finds no problem in what is being written', async () => {
    const settings = { ...database.settings, ACCOUNT_SYNC_LOG_LEVEL: 'silent' };
    const service = await Service.start(settings);
    const load = new Load();
    const running = load.run(service.url, service.key, 8);
    for (const accounts of [100, 600]) {
      await vi.waitUntil(() => load.acknowledged.size > accounts, { timeout: 30_000, interval: 5 });
      expect(await runJson(settings, 'verify')).toMatchObject({ ok: true, problems: [] });
    }
    await service.stop('SIGKILL');
    await running;
    expect(await runJson(settings, 'verify')).toMatchObject({ ok: true, problems: [] });
    await database.remove();
  });
});

describe('verify', () => {
  it('says that there is no database', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'account-sync-test-'));
    expect(await run(['verify'], { ACCOUNT_SYNC_DATA_DIR: directory })).toEqual({
      status: 1,
      stdout: '',
      stderr: `There is no database in ${directory}.\n`,
    });
    expect(await run(['verify', join(directory, 'none.db')], {})).toEqual({
      status: 1,
      stdout: '',
      stderr: `There is no file ${join(directory, 'none.db')}.\n`,
    });
    await rm(directory, { recursive: true });
  });
});
