import { expect, it } from 'vitest';
import { StoreObservers } from '../observer.js';
import type { Jobs, PruneTask } from './jobs.js';
import { Pruner } from './pruner.js';

it('a failure with one tenant does not keep the others waiting', async () => {
  const task = (tenantId: number): PruneTask => ({ what: 'history', tenantId });
  const jobs: Partial<Jobs> = {
    findOld: async () => [task(1), task(2), task(3)],
    prune: async ({ tenantId }) => {
      if (tenantId === 1) throw new Error('its rows cannot be read');
      return { removed: tenantId };
    },
  };
  const events: string[] = [];
  const observers = new StoreObservers();
  observers.observers.push({
    databaseFailed: () => events.push('failed'),
    pruned: (what, rows) => events.push(`${what} ${rows}`),
  });
  const pruner = new Pruner(jobs as Jobs, 7, observers);
  await expect.poll(() => events).toEqual(['failed', 'history 2', 'history 3']);
  await pruner.close();
});
