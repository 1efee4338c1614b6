import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { allMigrations } from '../../dist/store/schema/migrations.js';
import { Caller } from './caller.js';
import { isSimulated } from './disk-calls.js';
import { DiskRecording } from './disk-recording.js';
import { type Configured, MixedLoad } from './mixed-load.js';
import { KEY } from './mortal-service.js';
import type { Sent } from './persistent-load.js';
import { Tally } from './tally.js';

const ACKNOWLEDGED = 300;
const CHECKPOINT_RECORDS = 1_000;

/** What happened on a disk, from a beginning on. */
export interface Scene {
  readonly root: string;
  readonly beginning: ReadonlyMap<string, Buffer>;
  readonly recording: DiskRecording;
  readonly sent: readonly Sent[];
  readonly configured: readonly Configured[];
}

const settingsIn = (root: string) => ({
  ACCOUNT_SYNC_DATA_DIR: join(root, 'data'),
  ACCOUNT_SYNC_LOG_LEVEL: 'silent',
  ACCOUNT_SYNC_API_KEY: KEY,
});

export async function filesIn(root: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const kept = paths.filter(isSimulated);
  return new Map(await Promise.all(kept.map(async (path) => [path, await readFile(path)] as const)));
}

/** A server below `root`, from its start to the signal that ends it under load. */
export async function recordScene(root: string, signal: NodeJS.Signals): Promise<Scene> {
  const beginning = await filesIn(root);
  const tally = new Tally();
  const sent: Sent[] = [];
  const configured: Configured[] = [];
  const recording = await DiskRecording.make(settingsIn(root), root, async (url, pid) => {
    const caller = new Caller(url, KEY, tally);
    sent.push(...(await restartLog(caller, join(root, 'data', 'account-sync.db-wal'))));
    const load = new MixedLoad(caller, 'load');
    const goal = tally.acknowledged + ACKNOWLEDGED;
    await vi.waitUntil(() => tally.acknowledged >= goal, { timeout: 60_000, interval: 5 });
    caller.isDying = true;
    const stopped = load.stop();
    process.kill(pid, signal);
    await stopped;
    sent.push(...load.sent);
    configured.push(...load.configured);
  });
  expect(tally.unexpected).toEqual([]);
  return { root, beginning, recording, sent, configured };
}

/** Writes until a checkpoint was complete, and the log is written from its beginning again, over what it held. */
async function restartLog(caller: Caller, log: string): Promise<Sent[]> {
  const checkpoints = async () => (await readFile(log)).readUInt32BE(12);
  const before = await checkpoints();
  const sent: Sent[] = [];
  while ((await checkpoints()) === before) {
    const requestId = `restart-${sent.length}`;
    // The first one is large enough for a checkpoint.
    const length = sent.length % 20 === 0 ? CHECKPOINT_RECORDS : 1;
    const accountIds = Array.from({ length }, (_, i) => `${requestId}-${i}`);
    const records = accountIds.map((account_id) => ({ account_id }));
    const { success } = await caller.post(records, requestId);
    sent.push({ requestId, accountIds, acknowledged: success });
    // It is complete only where nobody writes meanwhile.
    await pause(50);
  }
  return sent;
}

/** A database with the tables of the version before this one, for the server to back up and migrate. */
export async function makeOlderDatabase(root: string): Promise<void> {
  const migrations = allMigrations.slice(0, -1);
  await (await openStore({ database: `sqlite:${join(root, 'data')}`, migrations })).close();
}
