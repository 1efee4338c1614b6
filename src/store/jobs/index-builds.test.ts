import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { StoreObservers } from '../observer.js';
import type { IndexPlace } from './attribute-index.js';
import { IndexBuilds } from './index-builds.js';
import type { Jobs } from './jobs.js';

function buildsOf(pages: number, told: string[]): IndexBuilds {
  const jobs: Partial<Jobs> = {
    buildIndexPage: async (_tenantId, attribute, from) => {
      const page = Number(from?.after ?? 0) + 1;
      told.push(`${attribute} ${page}`);
      const next: IndexPlace = { build: 3, after: `${page}` };
      return { written: 1, ms: 10, ...(page < pages && { next }) };
    },
  };
  return new IndexBuilds(jobs as Jobs, new StoreObservers());
}

it('rests nine times as long as a page took, for others to write', async () => {
  const told: string[] = [];
  const builds = buildsOf(2, told);
  const built = builds.build(1, 'a');
  // Timers end in the order of their times.
  await setTimeout(80);
  told.push('write');
  await built;
  expect(told).toEqual(['a 1', 'write', 'a 2']);
});

it('makes one build of an attribute at a time, and ends at once where the store closes', async () => {
  const told: string[] = [];
  const builds = buildsOf(2, told);
  await Promise.all([builds.build(1, 'a'), builds.build(1, 'a')]);
  expect(told).toEqual(['a 1', 'a 2', 'a 1', 'a 2']);
  const cut = builds.build(1, 'b');
  await expect.poll(() => told.at(-1)).toBe('b 1');
  await builds.close();
  await cut;
  expect(told.slice(4)).toEqual(['b 1']);
});
