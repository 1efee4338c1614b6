import type { AccountSource } from './account-source.js';
import { logProgress } from './log-progress.js';
import { send } from './sockets.js';
import type { Target } from './workbench.js';
import { BATCH, batches } from './workload.js';

/** Number of accounts that are stored before the measurement, so that there are accounts to change. */
export const FIRST_ACCOUNTS = 20_000;

const PROGRESS_INTERVAL = 100_000;

/** Stores new accounts through the HTTP interface of the target. */
export async function storeAccounts(target: Target, source: AccountSource, accounts: number): Promise<void> {
  const { name, url, key } = target;
  let left = accounts / BATCH;
  const isOver = () => {
    const { created } = source.counters;
    if (created > 0 && created < accounts && created % PROGRESS_INTERVAL === 0)
      logProgress(`${name}: ${created} of ${accounts} accounts stored`);
    left -= 1;
    return left < 0;
  };
  const { requests, failures } = await send({ url, key, source, workload: batches('new') }, isOver);
  if (failures > 0) throw new Error(`${name} rejected ${failures} of ${requests} batches.`);
}
