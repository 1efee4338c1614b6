import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { databases } from '../support/databases.js';
import { Service } from '../support/service.js';
import { Caller } from './caller.js';
import { ContinuousLoad } from './continuous-load.js';
import { ShiftedClock } from './shifted-clock.js';
import { StoredAccounts } from './stored-accounts.js';
import { Trial } from './trial.js';
import { type CreatedKey, V2Caller } from './v2-caller.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const JUMPS = [-365 * DAY_MS, -DAY_MS, -DAY_MS, -HOUR_MS, HOUR_MS, DAY_MS, DAY_MS, 365 * DAY_MS];
const JUMPS_PER_ROUND = 2;
const SESSION_MS = 12 * HOUR_MS;
const WAIT = { timeout: 30_000 };

describe.each(databases)('a server on %s whose clock jumps', (name, createDatabase) => {
  it('loses nothing, shows every change once, and respects the expiry of keys and sessions', async () => {
    const { url: database, settings, remove } = await createDatabase();
    onTestFinished(remove);
    const clock = await ShiftedClock.create();
    onTestFinished(() => clock.remove());
    const service = await Service.start({ ACCOUNT_SYNC_LOG_LEVEL: 'silent', ...settings, ...clock.settings });
    onTestFinished(async () => void (await service.stop('SIGKILL')));
    const trial = new Trial(`clock jumps, ${name}`, { short: 1, long: 25 });
    const caller = new V2Caller(service.url, service.key);
    let accounts = 0;
    await trial.run(async (round) => {
      const begin = await caller.lastCursor();
      const load = new ContinuousLoad(new Caller(service.url, service.key, trial), `round${round}`);
      for (let jump = 1; jump <= JUMPS_PER_ROUND; jump += 1) await jumpOnce(caller, clock, database, trial);
      await load.stop();
      const ids = [...new Set(load.sent.flatMap(({ accountIds }) => accountIds))].sort();
      accounts += ids.length;
      const changes = await compare(load, database, trial);
      await vi.waitUntil(async () => (await caller.changesAfter(begin)).length >= changes, WAIT);
      const found = await caller.changesAfter(begin);
      expect([found.length, new Set(found).size]).toEqual([changes, changes]);
      expect((await caller.listRecent(`round${round}-`)).sort()).toEqual(ids);
      await vi.waitUntil(async () => (await caller.count()) === accounts, WAIT);
    });
    expect([await service.stop(), service.output.stderr]).toEqual([0, '']);
  });
});

async function jumpOnce(
  caller: V2Caller,
  clock: ShiftedClock,
  database: string,
  trial: Trial,
): Promise<void> {
  const old = await caller.createKey();
  const session = await caller.signIn();
  const by = JUMPS[Math.floor(Math.random() * JUMPS.length)] ?? 0;
  clock.shift(by);
  const fresh = await vi.waitUntil(() => createKeyAtNewTime(caller, clock), WAIT);
  expect([await caller.statusOf(fresh), await caller.statusOf(old)]).toEqual([200, 200]);
  expect(await caller.sessionStatus(session)).toBe(by < SESSION_MS ? 200 : 401);
  expect(await caller.sessionStatus(await caller.signIn())).toBe(200);
  // Directly in the database, like the command line.
  const store = await openStore({ database });
  await store.directory.keys.revoke(1, old.id, clock.now());
  const revokedAt = performance.now();
  await vi.waitUntil(async () => (await caller.statusOf(old)) === 401, WAIT);
  const slowest = Math.max(trial.figures['slowest revocation, ms'] ?? 0, performance.now() - revokedAt);
  trial.figures['slowest revocation, ms'] = slowest;
  await store.close();
}

/** Creates a key; `undefined` if the server has not noticed the new time yet. */
async function createKeyAtNewTime(caller: V2Caller, clock: ShiftedClock): Promise<CreatedKey | undefined> {
  const created = await caller.createKey();
  return Math.abs(created.createdAt - clock.now()) < HOUR_MS / 2 ? created : undefined;
}

/** Compares the stored accounts with the load, and returns the number of changes. */
async function compare(load: ContinuousLoad, database: string, trial: Trial): Promise<number> {
  const before = trial.changes;
  const stored = await StoredAccounts.open(database, trial);
  await stored.compare(load.sent);
  await stored.close();
  expect([stored.problems, trial.unexpected, trial.failed]).toEqual([[], [], 0]);
  return trial.changes - before;
}
