import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Random } from '../../dist/cli/demo/random.js';
import { openStore } from '../../dist/store/open-store.js';
import { inspectSqlite } from '../../dist/store/sqlite/inspect-sqlite.js';
import { freshDirectory } from '../support/service.js';
import { canTraceSystemCalls } from '../support/system-calls.js';
import type { DiskCall } from './disk-calls.js';
import { type DiskScenario, filesIn, makeOlderDatabase, recordScenario } from './disk-scenario.js';
import { FeedFollower } from './feed-follower.js';
import { SeededRandom } from './seeded-random.js';
import { SimulatedDisk } from './simulated-disk.js';
import { StoredConfiguration } from './stored-configuration.js';
import { Trial } from './trial.js';

/**
 * Tests durability on a simulated disk: strace records the file operations of a real server under load. The test
 * replays them up to a point, keeps what a power cut may leave, opens the database, and expects every acknowledged
 * write.
 */

/** A file system in memory, where syncs are fast. strace needs Linux, which has it. */
const IN_MEMORY = '/dev/shm';

/** Opens the files that a power cut left, and checks that every acknowledged write is there. */
async function check(
  { root, recording, sent, configured }: DiskScenario,
  image: ReadonlyMap<string, Buffer>,
  at: number,
  trial: Trial,
): Promise<string[]> {
  const directory = await mkdtemp(join(IN_MEMORY, 'account-sync-test-'));
  const dataDir = join(directory, 'data');
  for (const [path, content] of image) {
    const target = join(directory, relative(root, path));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
  const store = await openStore({ database: `sqlite:${dataDir}` });
  const { id = 0 } = (await store.directory.findTenant({ name: 'default' })) ?? {};
  const follower = new FeedFollower(trial);
  await follower.follow(store, id);
  follower.compare(recording.sentBefore(at, sent));
  const configuration = new StoredConfiguration(trial);
  const changes = configured.map(({ requestId }) => {
    return { requestId, acknowledged: recording.isAcknowledged(requestId, at) };
  });
  if (id !== 0) await configuration.compare(store, id, changes);
  await store.close();
  const problems = [...follower.problems, ...configuration.problems, ...(await damageIn(dataDir))];
  await rm(directory, { recursive: true, force: true });
  return problems;
}

/** Damage of the database, and of every backup that has its final name. */
async function damageIn(dataDir: string): Promise<string[]> {
  const { damage = ['no database'] } = (await inspectSqlite(dataDir)) ?? {};
  const backups = join(dataDir, 'backups');
  const names = existsSync(backups) ? await readdir(backups) : [];
  const ofBackups = names.flatMap((name) => {
    if (!name.endsWith('.db')) return [];
    const db = new DatabaseSync(join(backups, name), { readOnly: true });
    const [{ integrity_check: found }] = db.prepare('pragma integrity_check').all();
    db.close();
    return found === 'ok' ? [] : [`${name}: ${found}`];
  });
  return [...damage, ...ofBackups];
}

/** Power cuts spread evenly over the whole recording, each with the files that it leaves. */
function* cuts({ root, initialFiles, recording: { calls } }: DiskScenario, count: number, random: Random) {
  const disk = new SimulatedDisk(root, initialFiles);
  let done = 0;
  for (let n = 1; n <= count; n += 1) {
    for (; done < Math.ceil((n / count) * calls.length); done += 1) disk.apply(calls[done] as DiskCall);
    // The latest possible time: before the next call.
    yield { at: (calls[done]?.ended ?? Infinity) - 0.5, image: disk.afterPowerCut(random) };
  }
}

// Without strace, `test/store/sqlite.test.ts` still checks the settings of the connections.
describe.skipIf(!(await canTraceSystemCalls()))('a power cut', () => {
  it('leaves every acknowledged write and no partial write, at any time', async () => {
    const roots = [await freshDirectory(), await freshDirectory()] as const;
    onTestFinished(async () => {
      for (const root of roots) await rm(root, { recursive: true, force: true });
    });
    const [first, upgraded] = roots;
    const trial = new Trial('SQLite: power cut', { short: 100, long: 5_000 });
    const random = new SeededRandom(trial);
    await makeOlderDatabase(upgraded);
    const scenarios = [await recordScenario(first, 'SIGTERM'), await recordScenario(upgraded, 'SIGKILL')];
    await expectFaithful(scenarios[0] as DiskScenario);
    trial.figures['calls recorded'] = scenarios.reduce(
      (sum, { recording }) => sum + recording.calls.length,
      0,
    );
    const count = Math.ceil(trial.rounds / scenarios.length);
    const images = scenarios.flatMap((scenario) => ({ scenario, cuts: cuts(scenario, count, random) }));
    await trial.run(async (round) => {
      const { scenario, cuts } = images[round <= count ? 0 : 1] as (typeof images)[number];
      const { at, image } = cuts.next().value as { at: number; image: Map<string, Buffer> };
      expect(await check(scenario, image, at, trial), `cut at ${at}`).toEqual([]);
    });
  });
});

/** Checks that the simulation covers all calls: without a power cut, its files equal the real ones. */
async function expectFaithful({ root, initialFiles, recording }: DiskScenario): Promise<void> {
  const disk = new SimulatedDisk(root, initialFiles);
  for (const call of recording.calls) disk.apply(call);
  expect(disk.current()).toEqual(await filesIn(root));
}
