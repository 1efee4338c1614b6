import { type LoadResult, run } from './load.js';
import { batches, FIRST_BATCHES, singles, type Workload } from './requests.js';
import { resultTable } from './result-table.js';
import { type Target, withTargets } from './with-targets.js';

const ROUNDS = 5;
const SECONDS = 3;

let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isInterrupted = true;
  });
}

/** The service beside its peers in one run, round by round in turn, so that a noisy machine is noisy for all. */
await withTargets(async (targets) => {
  for (const target of targets) await storeFirst(target);
  const tables: string[] = [];
  for (const workload of [singles, batches]) {
    tables.push(resultTable(workload, await measure(workload, targets)));
  }
  process.stdout.write(`\n${tables.join('\n')}`);
});

/** Nothing of it is measured; it also warms the target up. */
async function storeFirst(target: Target): Promise<void> {
  process.stderr.write(`${target.name}: storing the first accounts …\n`);
  let left = FIRST_BATCHES;
  const { failures } = await drive(target, batches, () => left-- <= 0);
  if (failures > 0) throw new Error(`${target.name} refused ${failures} of ${FIRST_BATCHES} batches.`);
}

async function measure(workload: Workload, targets: readonly Target[]): Promise<Map<string, LoadResult[]>> {
  const results = new Map(targets.map(({ name }) => [name, [] as LoadResult[]]));
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const target of targets) {
      process.stderr.write(`${workload.name}, round ${round} of ${ROUNDS}, ${target.name}: `);
      const end = performance.now() + SECONDS * 1000;
      const result = await drive(target, workload, () => performance.now() >= end);
      results.get(target.name)?.push(result);
      const perSecond = Math.round(result.requestsPerSecond * workload.records);
      const own = Math.round(result.ownCpu * 100);
      process.stderr.write(`${perSecond} records/s; producing the load took ${own} % of a core\n`);
    }
  }
  return results;
}

async function drive(target: Target, workload: Workload, isOver: () => boolean): Promise<LoadResult> {
  const { url, key, source } = target;
  const nextRequest = () => (isInterrupted || isOver() ? undefined : workload.request(source, key));
  const result = await run({ url, connections: workload.connections, nextRequest });
  if (isInterrupted) throw new Error('Interrupted.');
  return result;
}
