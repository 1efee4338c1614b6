import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { databases } from '../support/databases.js';
import { Service } from '../support/service.js';
import { RealisticLoad } from './realistic-load.js';
import { descriptorsOf, growthOf, type ResourceUsage, resourceUsageOf } from './resource-usage.js';
import { Trial } from './trial.js';

const ROUND_MS = 5_000;
/** Gives about a hundred requests per second in total. */
const REST_MS = 150;
/** Growth below this, or below a tenth, counts as none. */
const NOISE_MIB = 32;
/** The service opens connections to the database on demand, and keeps some. */
const CONNECTIONS_TO_DATABASE = 12;
/** The writer itself checkpoints the log at 80 MB. */
const MAX_WAL_MIB = 100;

describe.each(databases)('a server on %s in long use', (name, createDatabase) => {
  it('does not grow in memory, descriptors and disk space', async () => {
    const { settings, remove } = await createDatabase();
    onTestFinished(remove);
    const service = await Service.start({ ACCOUNT_SYNC_LOG_LEVEL: 'silent', ...settings });
    onTestFinished(async () => void (await service.stop('SIGKILL')));
    const trial = new Trial(`soak, ${name}`, { short: 1, long: 360 });
    const seen: ResourceUsage[] = [];
    const atRest: number[] = [];
    let requests = 0;
    const atFirst = await descriptorsOf(service.pid);
    await trial.run(async () => {
      const use = new RealisticLoad(service.url, service.key, trial, REST_MS);
      await pause(ROUND_MS);
      seen.push(await resourceUsageOf(service));
      await use.stop();
      requests += use.requests;
      const isAtRest = async () => (await descriptorsOf(service.pid)) <= atFirst + CONNECTIONS_TO_DATABASE;
      await vi.waitUntil(isAtRest, { timeout: 30_000 });
      atRest.push(await descriptorsOf(service.pid));
      expect(trial.unexpected).toEqual([]);
    });
    Object.assign(trial.figures, { requests, ...figuresOf(seen), ...ends('descriptors at rest', atRest) });
    expect(Math.max(...seen.map(({ walMiB }) => walMiB))).toBeLessThan(MAX_WAL_MIB);
    for (const memory of ['rssMiB', 'heapMiB'] as const) {
      const { before, growth } = growthOf(seen.map((usage) => usage[memory]));
      expect(growth, memory).toBeLessThan(Math.max(NOISE_MIB, before / 10));
    }
    expect([await service.stop(), service.output.stderr]).toEqual([0, '']);
  });
});

function ends(name: string, values: readonly number[]): Record<string, number> {
  return { [`${name} first`]: values[0] ?? 0, [`${name} last`]: values.at(-1) ?? 0 };
}

function figuresOf(seen: readonly ResourceUsage[]): Record<string, number> {
  const of = (figure: keyof ResourceUsage) => seen.map((usage) => usage[figure]);
  return {
    ...ends('RSS MiB', of('rssMiB')),
    ...ends('heap MiB', of('heapMiB')),
    'descriptors peak': Math.max(...of('descriptors')),
    'threads peak': Math.max(...of('threads')),
    'WAL peak MiB': Math.max(...of('walMiB')),
    'lag p99 peak ms': Math.max(...of('lagP99Ms')),
  };
}
