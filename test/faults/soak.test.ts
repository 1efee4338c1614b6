import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { databases } from '../support/databases.js';
import { Service } from '../support/service.js';
import { EverydayUse } from './everyday-use.js';
import { descriptorsOf, type Footprint, footprintOf, growthOf } from './footprint.js';
import { Trial } from './trial.js';

const ROUND_MS = 5_000;
/** About a hundred requests a second, all in all. */
const REST_MS = 150;
/** Growth below this, or a tenth, is none. */
const NOISE_MIB = 32;
/** It opens them when it needs them, and keeps some. */
const CONNECTIONS_TO_DATABASE = 12;
/** At 80 MB the writer itself takes care of the log. */
const MOST_WAL_MIB = 100;

describe.each(databases)('a server on %s that is used for a long time', (name, createDatabase) => {
  it('takes up no more memory, descriptors and space than at first', async () => {
    const { settings, remove } = await createDatabase();
    onTestFinished(remove);
    const service = await Service.start({ ACCOUNT_SYNC_LOG_LEVEL: 'silent', ...settings });
    onTestFinished(async () => void (await service.stop('SIGKILL')));
    const trial = new Trial(`soak, ${name}`, { short: 1, long: 360 });
    const seen: Footprint[] = [];
    const atRest: number[] = [];
    let requests = 0;
    const atFirst = await descriptorsOf(service.pid);
    await trial.run(async () => {
      const use = new EverydayUse(service.url, service.key, trial, REST_MS);
      await pause(ROUND_MS);
      seen.push(await footprintOf(service));
      await use.stop();
      requests += use.requests;
      const isAtRest = async () => (await descriptorsOf(service.pid)) <= atFirst + CONNECTIONS_TO_DATABASE;
      await vi.waitUntil(isAtRest, { timeout: 20_000 });
      atRest.push(await descriptorsOf(service.pid));
      expect(trial.unexpected).toEqual([]);
    });
    Object.assign(trial.figures, { requests, ...figuresOf(seen), ...ends('descriptors at rest', atRest) });
    expect(Math.max(...seen.map(({ walMiB }) => walMiB))).toBeLessThan(MOST_WAL_MIB);
    for (const memory of ['rssMiB', 'heapMiB'] as const) {
      const { before, growth } = growthOf(seen.map((footprint) => footprint[memory]));
      expect(growth, memory).toBeLessThan(Math.max(NOISE_MIB, before / 10));
    }
    expect([await service.stop(), service.output.stderr]).toEqual([0, '']);
  });
});

function ends(name: string, values: readonly number[]): Record<string, number> {
  return { [`${name} first`]: values[0] ?? 0, [`${name} last`]: values.at(-1) ?? 0 };
}

function figuresOf(seen: readonly Footprint[]): Record<string, number> {
  const of = (figure: keyof Footprint) => seen.map((footprint) => footprint[figure]);
  return {
    ...ends('RSS MiB', of('rssMiB')),
    ...ends('heap MiB', of('heapMiB')),
    'descriptors peak': Math.max(...of('descriptors')),
    'threads peak': Math.max(...of('threads')),
    'WAL peak MiB': Math.max(...of('walMiB')),
    'lag p99 peak ms': Math.max(...of('lagP99Ms')),
  };
}
