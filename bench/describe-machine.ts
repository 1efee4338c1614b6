import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { latencyPercentiles } from './latency-percentiles.js';
import type { Workbench } from './workbench.js';

const WRITES = 500;
const BLOCK = Buffer.alloc(4096, 1);

/** The hardware and software that the figures depend on. */
export async function describeMachine(workbench: Workbench, generator: string) {
  const [version] = await workbench.postgres.query('show server_version');
  const db = new DatabaseSync(':memory:');
  const sqlite = db.prepare('select sqlite_version() as version').get() as { version: string };
  db.close();
  return {
    date: new Date().toISOString(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `${process.platform} ${release()}`,
    node: process.version,
    sqlite: sqlite.version,
    postgres: String(version?.server_version),
    generator,
    /** The median time to append 4 KiB and sync them to disk: no durable commit can be faster. */
    syncedWriteMs: timeSyncedWrites(join(workbench.directory, 'synced-writes')).p50,
  };
}

export type Machine = Awaited<ReturnType<typeof describeMachine>>;

function timeSyncedWrites(file: string) {
  const descriptor = openSync(file, 'w');
  const latencies = Array.from({ length: WRITES }, () => {
    const startedAt = performance.now();
    writeSync(descriptor, BLOCK);
    fdatasyncSync(descriptor);
    return performance.now() - startedAt;
  });
  closeSync(descriptor);
  return latencyPercentiles(latencies);
}
