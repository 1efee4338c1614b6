import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Caller } from '../faults/caller.js';
import { ContinuousLoad } from '../faults/continuous-load.js';
import { LoadStatistics } from '../faults/load-statistics.js';
import { type Database, databases, freshSqlite } from '../support/databases.js';
import { fillForVerification } from '../support/fill-for-verification.js';
import { runStatements } from '../support/released-database.js';
import { run, Service } from '../support/service.js';
import { problemsIn } from '../support/verified.js';

describe.each(databases)('verify on %s', (name, createDatabase) => {
  let database: Database;
  beforeAll(async () => {
    database = await createDatabase();
    await fillForVerification(database);
  });
  afterAll(() => database.remove());
  const isSqlite = name === 'SQLite';

  it('finds no problems', async () => {
    const { status, stdout, stderr } = await run(['verify'], database.settings);
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    expect(stdout).toMatch(/^accounts +4 +0$/m);
    expect(stdout).toMatch(/^history +21 +0$/m);
    expect(stdout).toMatch(/^indexed values +3 +0$/m);
    expect(stdout).toMatch(/^counts +2 +0$/m);
    expect(stdout).toMatch(/^change_set +21 +[\da-f]{16}$/m);
    expect(stdout).toMatch(/\nNo problems found in .*\.\n$/);
    expect(/^file +1 +0$/m.test(stdout)).toBe(isSqlite);
  });

  it('lists the first 20 problems, and counts all of them', async () => {
    const ids = Array.from({ length: 30 }, (_, i) => `(1, 'x-${i}', '{}', 1, 1, 1)`).join(', ');
    await runStatements(
      database,
      `insert into account (tenant_id, account_id, fields, revision, created_at, updated_at) values ${ids}`,
    );
    const { status, stdout, stderr } = await run(['verify'], database.settings);
    await runStatements(database, "delete from account where account_id like 'x-%'");
    expect([status, stdout], stderr).toEqual([1, expect.stringContaining('it has no history')]);
    expect(stdout.match(/it has no history/g)).toHaveLength(20);
    expect(stdout).toMatch(/\nFound 31 problems in /);
  });
});

describe.each(databases)('verify next to a running server on %s', (_name, createDatabase) => {
  it('finds no problems during writes', async () => {
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    const settings = { ...database.settings, ACCOUNT_SYNC_LOG_LEVEL: 'silent' };
    const service = await Service.start(settings);
    const statistics = new LoadStatistics();
    // Two senders: with more, a slow machine writes faster than it verifies, and the test has no bound.
    const load = new ContinuousLoad(new Caller(service.url, service.key, statistics), 'load', 2);
    onTestFinished(async () => {
      await service.stop('SIGKILL');
    });
    await vi.waitUntil(() => statistics.acknowledged > 50, { timeout: 30_000, interval: 5 });
    for (let i = 0; i < 3; i += 1) expect(await problemsIn(database.url)).toEqual([]);
    load.caller.isDying = true;
    await Promise.all([load.stop(), service.stop('SIGKILL')]);
    expect(statistics.unexpected).toEqual([]);
    expect(await problemsIn(database.url)).toEqual([]);
  });
});

describe('verify', () => {
  it('waits for a connection that locks the whole file, as the last one does when it closes', async () => {
    const database = await freshSqlite();
    onTestFinished(() => database.remove());
    // In a process of its own, because the driver keeps the files of closed connections open.
    await Service.start(database.settings).then((service) => service.stop());
    const closing = new DatabaseSync(join(database.settings.ACCOUNT_SYNC_DATA_DIR ?? '', 'account-sync.db'));
    closing.exec('pragma locking_mode = exclusive; begin exclusive');
    setTimeout(() => closing.close(), 300);
    const { status, stdout, stderr } = await run(['verify'], database.settings);
    expect([status, stderr, stdout]).toEqual([0, expect.any(String), expect.stringContaining('No problems')]);
  });

  it('reports a missing database', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'account-sync-test-'));
    expect(await run(['verify'], { ACCOUNT_SYNC_DATA_DIR: directory })).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        `^There is no database: ${join(directory, 'account-sync.db')} does not exist\\. Run `,
      ),
    });
    expect(await run(['verify', join(directory, 'none.db')], {})).toEqual({
      status: 1,
      stdout: '',
      stderr: `There is no file ${join(directory, 'none.db')}.\n`,
    });
    await rm(directory, { recursive: true });
  });
});
