import { readdir, readFile, stat } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { metricsIn } from '../support/metrics-in.js';
import type { Service } from '../support/service.js';
import { sendRequest } from './send-request.js';

const MIB = 1024 ** 2;

/** The resources that a server uses. */
export interface ResourceUsage {
  readonly rssMiB: number;
  readonly heapMiB: number;
  readonly descriptors: number;
  readonly threads: number;
  readonly walMiB: number;
  readonly lagP99Ms: number;
}

export async function resourceUsageOf({ pid, url, dataDir }: Service): Promise<ResourceUsage> {
  // Without keep-alive: an open connection would count as a descriptor.
  const { response } = await sendRequest(`${url}/metrics`, new Agent());
  const metrics = metricsIn(response?.body ?? '');
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

/**
 * The growth of a figure from the second third of the time to the last; the first third is the warm-up. It compares the
 * lowest values: memory rises until it is collected, and only memory that is never released raises the minimum.
 */
export function growthOf(values: readonly number[]): { readonly before: number; readonly growth: number } {
  const third = Math.floor(values.length / 3);
  if (third === 0) return { before: 0, growth: 0 };
  const before = Math.min(...values.slice(third, 2 * third));
  return { before, growth: Math.min(...values.slice(2 * third)) - before };
}
