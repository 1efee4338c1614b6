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
import { Chance } from './chance.js';
import type { DiskCall } from './disk-calls.js';
import { filesIn, makeOlderDatabase, recordScene, type Scene } from './disk-scene.js';
import { FeedFollower } from './feed-follower.js';
import { SimulatedDisk } from './simulated-disk.js';
import { StoredConfiguration } from './stored-configuration.js';
import { Trial } from './trial.js';

/** Where no sync waits for a disk; Linux has it, and strace is of Linux. */
const IN_MEMORY = '/dev/shm';

/** Starts on what a cut has left, and looks for everything that was acknowledged before it. */
async function check(
  { root, recording, sent, configured }: Scene,
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
  follower.compare(recording.sentBy(at, sent));
  const configuration = new StoredConfiguration(trial);
  const changes = configured.map(({ requestId }) => {
    return { requestId, acknowledged: recording.isAnswered(requestId, at) };
  });
  if (id !== 0) await configuration.compare(store, id, changes);
  await store.close();
  const problems = [...follower.problems, ...configuration.problems, ...(await damageIn(dataDir))];
  await rm(directory, { recursive: true, force: true });
  return problems;
}

/** Of the database, and of every backup that has its name. */
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

/** What may be left, by cuts over the whole recording; at every call, where there are enough. */
function* cuts({ root, beginning, recording: { calls } }: Scene, count: number, random: Random) {
  const disk = new SimulatedDisk(root, beginning);
  let done = 0;
  for (let n = 1; n <= count; n += 1) {
    for (; done < Math.ceil((n / count) * calls.length); done += 1) disk.apply(calls[done] as DiskCall);
    // As late as it can be: before the next call.
    yield { at: (calls[done]?.ended ?? Infinity) - 0.5, image: disk.cut(random) };
  }
}

// Where strace may not attach, `test/store/sqlite.test.ts` still looks at the settings of the connections.
describe.skipIf(!(await canTraceSystemCalls()))('a power cut', () => {
  it('leaves every acknowledged write, and no half one, wherever it comes', async () => {
    const roots = [await freshDirectory(), await freshDirectory()] as const;
    onTestFinished(async () => {
      for (const root of roots) await rm(root, { recursive: true, force: true });
    });
    const [first, upgraded] = roots;
    const trial = new Trial('SQLite: power cut', { short: 100, long: 5_000 });
    const random = new Chance(trial);
    await makeOlderDatabase(upgraded);
    const scenes = [await recordScene(first, 'SIGTERM'), await recordScene(upgraded, 'SIGKILL')];
    await expectFaithful(scenes[0] as Scene);
    trial.figures['calls recorded'] = scenes.reduce((sum, { recording }) => sum + recording.calls.length, 0);
    const count = Math.ceil(trial.rounds / scenes.length);
    const images = scenes.flatMap((scene) => ({ scene, cuts: cuts(scene, count, random) }));
    await trial.run(async (round) => {
      const { scene, cuts } = images[round <= count ? 0 : 1] as (typeof images)[number];
      const { at, image } = cuts.next().value as { at: number; image: Map<string, Buffer> };
      expect(await check(scene, image, at, trial), `cut at ${at}`).toEqual([]);
    });
  });
});

/** The simulation knows of all that was done: without a cut, its files are those that are there. */
async function expectFaithful({ root, beginning, recording }: Scene): Promise<void> {
  const disk = new SimulatedDisk(root, beginning);
  for (const call of recording.calls) disk.apply(call);
  expect(disk.whole()).toEqual(await filesIn(root));
}
