import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { allMigrations } from '../../dist/store/schema/migrations.js';
import { Caller } from './caller.js';
import type { SentRequest } from './continuous-load.js';
import { isSimulated } from './disk-calls.js';
import { DiskRecording } from './disk-recording.js';
import { KEY } from './killable-service.js';
import { LoadStatistics } from './load-statistics.js';
import { type ConfigurationRequest, MixedLoad } from './mixed-load.js';

const ACKNOWLEDGED = 300;
const CHECKPOINT_RECORDS = 1_000;

/** A recording of a server on a disk: the initial files, the file operations and the requests. */
export interface DiskScenario {
  readonly root: string;
  readonly initialFiles: ReadonlyMap<string, Buffer>;
  readonly recording: DiskRecording;
  readonly sent: readonly SentRequest[];
  readonly configured: readonly ConfigurationRequest[];
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

/** Records a server below `root`, from its start to the signal that ends it under load. */
export async function recordScenario(root: string, signal: NodeJS.Signals): Promise<DiskScenario> {
  const initialFiles = await filesIn(root);
  const statistics = new LoadStatistics();
  const sent: SentRequest[] = [];
  const configured: ConfigurationRequest[] = [];
  const recording = await DiskRecording.make(settingsIn(root), root, async (url, pid) => {
    const caller = new Caller(url, KEY, statistics);
    sent.push(...(await restartLog(caller, join(root, 'data', 'account-sync.db-wal'))));
    const load = new MixedLoad(caller, 'load');
    const goal = statistics.acknowledged + ACKNOWLEDGED;
    await vi.waitUntil(() => statistics.acknowledged >= goal, { timeout: 60_000, interval: 5 });
    caller.isDying = true;
    const stopped = load.stop();
    process.kill(pid, signal);
    await stopped;
    sent.push(...load.sent);
    configured.push(...load.configured);
  });
  expect(statistics.unexpected).toEqual([]);
  return { root, initialFiles, recording, sent, configured };
}

/** Writes until a checkpoint is complete and SQLite overwrites the write-ahead log from its start. */
async function restartLog(caller: Caller, log: string): Promise<SentRequest[]> {
  const checkpoints = async () => (await readFile(log)).readUInt32BE(12);
  const before = await checkpoints();
  const sent: SentRequest[] = [];
  while ((await checkpoints()) === before) {
    const requestId = `restart-${sent.length}`;
    // The first request is large enough for a checkpoint.
    const length = sent.length % 20 === 0 ? CHECKPOINT_RECORDS : 1;
    const accountIds = Array.from({ length }, (_, i) => `${requestId}-${i}`);
    const records = accountIds.map((account_id) => ({ account_id }));
    const { success } = await caller.post(records, requestId);
    sent.push({ requestId, accountIds, acknowledged: success });
    // A checkpoint completes only while there are no writes.
    await pause(50);
  }
  return sent;
}

/** Creates a database with the previous schema version, which the server backs up and migrates. */
export async function makeOlderDatabase(root: string): Promise<void> {
  const migrations = allMigrations.slice(0, -1);
  await (await openStore({ database: `sqlite:${join(root, 'data')}`, migrations })).close();
}
