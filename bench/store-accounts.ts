import type { AccountSource } from './account-source.js';
import { say } from './say.js';
import { send } from './sockets.js';
import type { Target } from './workbench.js';
import { BATCH, batches } from './workload.js';

/** Stored before anything is measured, so that there are accounts to change. */
export const FIRST_ACCOUNTS = 20_000;

const PROGRESS = 100_000;

/** Stores so many new accounts through the target's own interface. */
export async function storeAccounts(target: Target, source: AccountSource, accounts: number): Promise<void> {
  const { name, url, key } = target;
  let left = accounts / BATCH;
  const isOver = () => {
    const { created } = source.counters;
    if (created > 0 && created < accounts && created % PROGRESS === 0)
      say(`${name}: ${created} of ${accounts} accounts stored`);
    left -= 1;
    return left < 0;
  };
  const { requests, failures } = await send({ url, key, source, workload: batches('new') }, isOver);
  if (failures > 0) throw new Error(`${name} refused ${failures} of ${requests} batches.`);
}
