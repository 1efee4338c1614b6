import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { RequestCounts } from '../../store/runs/runs.js';
import type { Store } from '../../store/store.js';
import { RunTracker } from './run-tracker.js';

/** A tracker whose writes wait until the test ends them. */
function createTracker() {
  const writes: { readonly all: readonly RequestCounts[]; readonly end: () => void }[] = [];
  const recordRuns = (all: readonly RequestCounts[]) =>
    new Promise<number[]>((resolve) => writes.push({ all, end: () => resolve([]) }));
  const store = { jobs: { recordRuns } } as unknown as Store;
  const tracker = new RunTracker({ store, log: {} as FastifyBaseLogger, clock: () => 5, silenceMs: 1 });
  const principal = { tenant: { id: 1 } };
  const record = (runId: number) =>
    tracker.record({ runId, principal } as unknown as FastifyRequest, { unchanged: 1 });
  return { tracker, writes, record };
}

const settled = async (promise: Promise<unknown>) => {
  // A promise that does not wait for anything outside settles before the next event.
  const pending = new Promise((resolve) => setImmediate(resolve, 'pending'));
  return (await Promise.race([promise, pending])) !== 'pending';
};

describe('the counts of runs', () => {
  it('are written before any flush that began after them ends', async () => {
    const { tracker, writes, record } = createTracker();
    record(7);
    const flushes = [tracker.flush(), tracker.flush(), tracker.flush()];
    for (const flush of flushes) expect(await settled(flush)).toBe(false);
    expect(writes).toHaveLength(1);
    const none = { failedRequests: 0, skipped: 0, kept: 0, rejected: 0 };
    const counts = { ...none, requests: 1, unchanged: 1 };
    expect(writes[0]?.all).toEqual([{ tenantId: 1, runId: 7, lastAt: 5, ...counts }]);
    writes[0]?.end();
    await Promise.all(flushes);
    expect(writes).toHaveLength(1);
  });

  it('are written one at a time, and added up meanwhile', async () => {
    const { tracker, writes, record } = createTracker();
    record(7);
    const first = tracker.flush();
    expect(await settled(first)).toBe(false);
    record(8);
    record(8);
    const later = [tracker.flush(), tracker.flush()];
    for (const flush of later) expect(await settled(flush)).toBe(false);
    expect(writes).toHaveLength(1);
    writes[0]?.end();
    await first;
    for (const flush of later) expect(await settled(flush)).toBe(false);
    expect(writes.map(({ all }) => all.map(({ runId, requests }) => [runId, requests]))).toEqual([
      [[7, 1]],
      [[8, 2]],
    ]);
    writes[1]?.end();
    await Promise.all(later);
    const closing = tracker.close();
    expect(await settled(closing)).toBe(true);
  });
});
