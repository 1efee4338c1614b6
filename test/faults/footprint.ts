import { readdir, readFile, stat } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { metricsIn } from '../metrics-in.js';
import type { Service } from '../service.js';
import { exchange } from './exchange.js';

const MIB = 1024 ** 2;

/** What a server takes up. */
export interface Footprint {
  readonly rssMiB: number;
  readonly heapMiB: number;
  readonly descriptors: number;
  readonly threads: number;
  readonly walMiB: number;
  readonly lagP99Ms: number;
}

export async function footprintOf({ pid, url, dataDir }: Service): Promise<Footprint> {
  // No connection stays open, which would count among the descriptors.
  const { answer } = await exchange(`${url}/metrics`, new Agent());
  const metrics = metricsIn(answer?.body ?? '');
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const figure = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  const wal = await stat(join(dataDir, 'account-sync.db-wal')).catch(() => ({ size: 0 }));
  return {
    rssMiB: figure('VmRSS') / 1024,
    heapMiB: (metrics.nodejs_heap_size_used_bytes ?? 0) / MIB,
    descriptors: await descriptorsOf(pid),
    threads: figure('Threads'),
    walMiB: wal.size / MIB,
    lagP99Ms: 1_000 * (metrics.nodejs_eventloop_lag_p99_seconds ?? 0),
  };
}

export async function descriptorsOf(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** By how much a figure grows from the first value to the last, by the straight line that fits them best. */
export function growthOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let product = 0;
  let square = 0;
  for (const [index, value] of values.entries()) {
    product += (index - middle) * (value - mean);
    square += (index - middle) ** 2;
  }
  return square === 0 ? 0 : (product / square) * (values.length - 1);
}
