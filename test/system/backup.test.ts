import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { allMigrations } from '../../dist/store/schema/migrations.js';
import { Caller } from '../faults/caller.js';
import { ContinuousLoad } from '../faults/continuous-load.js';
import { LoadStatistics } from '../faults/load-statistics.js';
import { StoredAccounts } from '../faults/stored-accounts.js';
import { type Database, databases, emptyPostgres, freshSqlite } from '../support/databases.js';
import { fillForVerification } from '../support/fill-for-verification.js';
import { freshDirectory, run, runJson, Service } from '../support/service.js';
import { problemsIn } from '../support/verified.js';

let directory: string;
beforeAll(async () => {
  directory = await freshDirectory();
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe.each(databases)('backup on %s', (name, createDatabase) => {
  let database: Database;
  let file: string;
  beforeAll(async () => {
    database = await createDatabase();
    file = join(directory, `of ${name}.db`);
    await fillForVerification(database);
  });
  afterAll(() => database.remove());

  it('writes one file that only its owner can read, and reports its contents', async () => {
    // An interrupted backup left this file.
    await writeFile(`${file}.unfinished`, 'half');
    const made = await runJson(database.settings, 'backup', file);
    const bytes = readFileSync(file);
    expect(made).toEqual({
      file,
      schema_version: allMigrations.length,
      tenants: 2,
      accounts: 3,
      changes: 21,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      restore: `account-sync restore '${file}'`,
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (const end of ['.unfinished', '-wal', '-shm', '-journal'])
      expect(existsSync(`${file}${end}`)).toBe(false);
    expect(await problemsIn(file)).toEqual([]);
  });

  it('contains all tables of the database', async () => {
    const sums = async (...args: string[]) => (await runJson(database.settings, 'verify', ...args)).tables;
    expect(await sums(file)).toEqual(await sums());
  });

  it('overwrites nothing', async () => {
    const before = readFileSync(file);
    expect(await run(['backup', file], database.settings)).toEqual({
      status: 1,
      stdout: '',
      stderr: `${file} exists already and is not overwritten. Name another file.\n`,
    });
    expect(readFileSync(file)).toEqual(before);
  });

  it('reports a path that cannot be written', async () => {
    const nowhere = join(directory, 'nowhere', 'x.db');
    const { status, stderr } = await run(['backup', nowhere], database.settings);
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${nowhere} cannot be written: ENOENT`)]);
  });
});

describe('backup', () => {
  it('fails without a database', async () => {
    const file = join(directory, 'none.db');
    expect(await run(['backup', file], { ACCOUNT_SYNC_DATA_DIR: directory })).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        `^There is no database: ${join(directory, 'account-sync.db')} does not exist\\. Run `,
      ),
    });
    expect([existsSync(file), existsSync(`${file}.unfinished`)]).toEqual([false, false]);
  });
});

describe.each(databases)('a backup made under load on %s', (name, createDatabase) => {
  it('contains all earlier acknowledged writes, and can be restored into the other database', async () => {
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    const service = await Service.start({ ...database.settings, ACCOUNT_SYNC_LOG_LEVEL: 'silent' });
    onTestFinished(async () => {
      await service.stop('SIGKILL');
    });
    const statistics = new LoadStatistics();
    const load = new ContinuousLoad(new Caller(service.url, service.key, statistics), 'load');
    await vi.waitUntil(() => statistics.acknowledged > 200, { timeout: 30_000, interval: 5 });
    const before = load.sent.map((sent) => ({ ...sent }));
    const { acknowledged } = statistics;
    const file = join(directory, `${name} under load.db`);
    await runJson(database.settings, 'backup', file);
    // The backup did not stop the writers.
    expect(statistics.acknowledged).toBeGreaterThan(acknowledged);
    await load.stop();
    expect([statistics.failed, statistics.unexpected]).toEqual([0, []]);
    expect(await problemsIn(file)).toEqual([]);
    const target = await (name === 'SQLite' ? emptyPostgres() : freshSqlite());
    onTestFinished(() => target.remove());
    await runJson(target.settings, 'restore', file);
    expect(await problemsIn(target.url)).toEqual([]);
    const stored = await StoredAccounts.open(target.url, statistics);
    // All writes acknowledged before it; later requests are included completely or not at all.
    await stored.compare([
      ...before,
      ...load.sent.slice(before.length).map((sent) => ({ ...sent, acknowledged: false })),
    ]);
    await stored.close();
    expect(stored.problems).toEqual([]);
    const restored = await Service.start(target.settings);
    const response = await fetch(`${restored.url}/api/v1_1/account`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ account_id: 'after the restore' }),
    });
    expect(await response.text()).toBe('{"success":true}');
    await restored.stop();
  }, 180_000);
});
