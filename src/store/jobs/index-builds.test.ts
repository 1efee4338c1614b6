import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { StoreObservers } from '../observer.js';
import { IndexBuilds } from './index-builds.js';
import type { Jobs } from './jobs.js';

function buildsOf(pages: number, events: string[]): IndexBuilds {
  const jobs: Partial<Jobs> = {
    buildIndexPage: async (_tenantId, attribute, running) => {
      const page = running?.number ?? 1;
      events.push(`${attribute} ${page}`);
      const next = { number: page + 1 };
      return { written: 1, ms: 10, indexedAccounts: 250 * page, ...(page < pages && { next }) };
    },
  };
  return new IndexBuilds(jobs as Jobs, new StoreObservers());
}

it('rests nine times as long as a page took, so that account writes can run', async () => {
  const events: string[] = [];
  const builds = buildsOf(2, events);
  const built = builds.build(1, 'a', (accounts) => events.push(`${accounts} accounts`));
  // Each page reports 10 ms, so the rest takes 90 ms and this timer fires before the second page.
  await setTimeout(80);
  events.push('write');
  await built;
  expect(events).toEqual(['a 1', '250 accounts', 'write', 'a 2', '500 accounts']);
});

it('runs one build of an attribute at a time, and stops immediately when the store closes', async () => {
  const events: string[] = [];
  const builds = buildsOf(2, events);
  await Promise.all([builds.build(1, 'a'), builds.build(1, 'a')]);
  expect(events).toEqual(['a 1', 'a 2', 'a 1', 'a 2']);
  const interrupted = builds.build(1, 'b');
  await expect.poll(() => events.at(-1)).toBe('b 1');
  await builds.close();
  await interrupted;
  expect(events.slice(4)).toEqual(['b 1']);
});
