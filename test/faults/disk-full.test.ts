import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { inspectSqlite } from '../../dist/store/sqlite/inspect-sqlite.js';
import { freshDirectory, PROGRAM, Service } from '../support/service.js';
import { Caller } from './caller.js';
import { ContinuousLoad, type SentRequest } from './continuous-load.js';
import { limitFiles, SmallDisk, whyNoLimit, whyNoSmallDisk } from './small-disk.js';
import { StoredAccounts } from './stored-accounts.js';
import { Trial } from './trial.js';

const REQUESTS_PER_PHASE = 48;
const TIMEOUT_MS = 30_000;
const FULL =
  'Writes fail: the disk of the database is full, or fails. Free some space; the service recovers without a restart.';

/** How a round removes the free space of a server, and restores it. */
interface Shortage {
  begin(service: Service): void;
  end(service: Service): void;
}

/** The name of a test, with the reason if it is skipped. */
const named = (name: string, reason: string | undefined) =>
  reason === undefined ? name : `${name} (skipped: ${reason})`;

const noDisk = whyNoSmallDisk();
const noLimit = whyNoLimit();

it.skipIf(noDisk)(
  named('a server on SQLite recovers without a restart after its disk was full, and loses nothing', noDisk),
  async () => {
    const trial = new Trial('disk full, SQLite', { short: 2, long: 30 });
    await trial.run(async (round) => {
      const directory = await freshDirectory();
      const disk = await SmallDisk.mount(directory, 16);
      onTestFinished(() => disk.remove());
      const command = [...disk.launcher(), process.execPath, PROGRAM, 'serve'];
      const service = await start(directory, command);
      // In one half of the rounds the ballast uses the last page, in the other the load does.
      const leave = round % 2 === 0 ? 0 : Math.floor(Math.random() * 2_000_000);
      const shortage = { begin: () => disk.fill(leave), end: () => disk.free() };
      const sent = await runShortage(service, shortage, trial, round);
      const copy = await freshDirectory();
      disk.copyTo(copy);
      await disk.remove();
      await checkStored(copy, sent, trial);
      await Promise.all([directory, copy].map((path) => rm(path, { recursive: true, force: true })));
    });
  },
);

it.skipIf(noLimit)(
  named(
    'a server on SQLite recovers without a restart after its files could not grow, and loses nothing',
    noLimit,
  ),
  async () => {
    const trial = new Trial('files that cannot grow, SQLite', { short: 2, long: 30 });
    await trial.run(async (round) => {
      const directory = await freshDirectory();
      const service = await start(directory);
      const shortage = {
        begin: ({ pid }: Service) => {
          const { size } = statSync(join(directory, 'account-sync.db-wal'));
          limitFiles(pid, round % 2 === 0 ? 1 : Math.floor(Math.random() * size));
        },
        end: ({ pid }: Service) => limitFiles(pid, 'unlimited'),
      };
      await checkStored(directory, await runShortage(service, shortage, trial, round), trial);
      await rm(directory, { recursive: true, force: true });
    });
  },
);

it.skipIf(noLimit)(
  named('the log has the reason why an account could not be deleted, also without other writes', noLimit),
  async () => {
    const directory = await freshDirectory();
    const service = await start(directory);
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ account_id: 'a', name: 'A' });
    const stored = await fetch(`${service.url}/api/v1_1/account`, { method: 'POST', headers, body });
    limitFiles(service.pid, 1);
    const account = `${service.url}/api/v2/accounts/a`;
    const { authorization } = headers;
    const deleted = await fetch(account, { method: 'DELETE', headers: { authorization } });
    expect([stored.status, deleted.status]).toEqual([200, 500]);
    await vi.waitUntil(() => service.output.stderr.includes('"msg":"writes fail: '), {
      timeout: TIMEOUT_MS,
    });
    limitFiles(service.pid, 'unlimited');
    expect((await fetch(account, { method: 'DELETE', headers: { authorization } })).status).toBe(204);
    expect(await service.stop()).toBe(0);
    await rm(directory, { recursive: true, force: true });
  },
);

async function start(dataDir: string, command?: readonly string[]): Promise<Service> {
  const service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: dataDir }, command);
  onTestFinished(async () => {
    await service.stop('SIGKILL');
  });
  return service;
}

/** Under load: writes succeed, then fail as documented while reads work, then succeed again. */
async function runShortage(
  service: Service,
  shortage: Shortage,
  trial: Trial,
  round: number,
): Promise<SentRequest[]> {
  const load = new ContinuousLoad(new Caller(service.url, service.key, trial), `round${round}`);
  const waitForMore = (count: 'acknowledged' | 'failed') => {
    const goal = trial[count] + REQUESTS_PER_PHASE;
    return vi.waitUntil(() => trial[count] >= goal, { timeout: TIMEOUT_MS, interval: 5 });
  };
  try {
    await waitForMore('acknowledged');
    shortage.begin(service);
    await waitForMore('failed');
    await expectReadsWork(service);
    await waitForMore('failed');
    const freedAt = performance.now();
    shortage.end(service);
    const acknowledged = trial.acknowledged;
    await vi.waitUntil(() => trial.acknowledged > acknowledged, { timeout: TIMEOUT_MS, interval: 5 });
    trial.slowestRecoveryMs = Math.max(trial.slowestRecoveryMs, performance.now() - freedAt);
    await waitForMore('acknowledged');
  } finally {
    await load.stop();
  }
  // The warning ends some seconds after the last failure, so only the first round waits for that.
  if (round === 1) await expectWarningEnds(service);
  expect(trial.unexpected).toEqual([]);
  expect(await service.stop()).toBe(0);
  expect(service.output.stderr).not.toContain('request failed');
  return load.sent;
}

async function expectReadsWork({ url, key }: Service): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const accounts = await fetch(`${url}/api/v2/accounts?limit=1`, { headers });
  expect([accounts.status, await accounts.json()]).toMatchObject([200, { data: [expect.anything()] }]);
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: 'ready', warnings: expect.arrayContaining([FULL]) },
  ]);
}

async function expectWarningEnds({ url, output }: Service): Promise<void> {
  const isFull = async () => (await (await fetch(`${url}/readyz`)).text()).includes(FULL);
  await vi.waitUntil(async () => !(await isFull()), { timeout: TIMEOUT_MS, interval: 100 });
  const times = (message: string) => output.stderr.split(message).length - 1;
  await vi.waitUntil(() => times('"msg":"writes succeed again"') === 1, { timeout: TIMEOUT_MS });
  expect(times('"msg":"writes fail: the disk of the database is full, or fails"')).toBe(1);
}

async function checkStored(directory: string, sent: readonly SentRequest[], trial: Trial): Promise<void> {
  const stored = await StoredAccounts.open(`sqlite:${directory}`, trial);
  await stored.compare(sent);
  await stored.close();
  expect(stored.problems).toEqual([]);
  expect((await inspectSqlite(directory))?.damage).toEqual([]);
}
