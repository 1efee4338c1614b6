import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { type Database, freshSqlite } from '../support/databases.js';
import { runJson, start } from '../support/service.js';
import { problemsIn } from '../support/verified.js';
import { Trial } from './trial.js';

const ACCOUNTS = 5_000;

async function fill({ url }: Database, tenant: string): Promise<void> {
  const store = await openStore({ database: url });
  await store.directory.createTenant(tenant, {}, 1);
  const patches = Array.from({ length: ACCOUNTS }, (_, i) => ({
    accountId: `${tenant}-${i}`,
    fields: { name: `Account ${i} of ${tenant}` },
  }));
  await store.upsert({ tenantId: 1, patches, requestId: 'r', senderId: 'k', at: 1, bytes: 1 });
  await store.close();
}

/** Reads a copy, because this process would keep the original open even after closing it. */
async function inspect({ settings }: Database): Promise<{ tenants: readonly string[]; accounts: number }> {
  const copy = await freshSqlite();
  const [from = '', to = ''] = [settings, copy.settings].map((one) => one.ACCOUNT_SYNC_DATA_DIR);
  for (const name of await readdir(from)) {
    if (/^account-sync\.db(-wal|-shm|-journal)?$/.test(name)) await cp(join(from, name), join(to, name));
  }
  expect(await problemsIn(copy.url)).toEqual([]);
  const store = await openStore({ database: copy.url });
  const tenants = await store.directory.tenantNames();
  const ids = Array.from({ length: ACCOUNTS }, (_, i) => `${tenants[0]}-${i}`);
  const accounts = (await store.accounts.findAll(1, ids)).size;
  await store.close();
  await copy.remove();
  return { tenants, accounts };
}

it('a killed restore leaves the complete old or the complete new database', async () => {
  const [source, other, target] = await Promise.all([freshSqlite(), freshSqlite(), freshSqlite()]);
  for (const database of [source, other, target]) onTestFinished(() => database.remove());
  await fill(source, 'new');
  await fill(other, 'old');
  const backup = join(source.settings.ACCOUNT_SYNC_DATA_DIR ?? '', 'new.db');
  const before = join(other.settings.ACCOUNT_SYNC_DATA_DIR ?? '', 'old.db');
  await runJson(source.settings, 'backup', backup);
  await runJson(other.settings, 'backup', before);
  const startedAt = performance.now();
  await runJson(target.settings, 'restore', before);
  const longest = performance.now() - startedAt;

  const trial = new Trial('SQLite: killed while it restores', { short: 3, long: 200 });
  Object.assign(trial.figures, { 'old database left': 0, 'new database left': 0 });
  await trial.run(async (round) => {
    const file = round % 2 === 0 ? before : backup;
    const { child, finished } = start(['restore', file, '--replace'], target.settings);
    const timer = setTimeout(() => child.kill('SIGKILL'), longest * (0.3 + 0.9 * Math.random()));
    await finished;
    clearTimeout(timer);
    const { tenants, accounts } = await inspect(target);
    expect([['new'], ['old']]).toContainEqual(tenants);
    trial.lost += ACCOUNTS - accounts;
    const figure = `${tenants[0]} database left`;
    trial.figures[figure] = (trial.figures[figure] ?? 0) + 1;
  });
  expect(trial.lost).toBe(0);
  await runJson(target.settings, 'restore', backup, '--replace');
  expect(await inspect(target)).toEqual({ tenants: ['new'], accounts: ACCOUNTS });
  const left = await readdir(target.settings.ACCOUNT_SYNC_DATA_DIR ?? '');
  expect(left.sort()).toEqual(['account-sync.db', 'backups', 'server.lock']);
}, 1_800_000);
