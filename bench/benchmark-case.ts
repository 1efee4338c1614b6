import type { Load, LoadGenerator } from './load-generator.js';
import type { Measurement } from './measurement.js';
import { cpuOf, cpuOfTree, memoryOfTree } from './process-usage.js';
import type { Target } from './workbench.js';
import type { Workload } from './workload.js';

/** One target in one scenario, measured round by round. */
export interface BenchmarkCase {
  readonly scenario: string;
  readonly target: string;
  round(seconds: number): Promise<Measurement>;
}

/** Express needs this long to reach full speed. Batches need less: filling the stores has sent batches before. */
const SINGLES_WARM_UP_SECONDS = 3;
const BATCHES_WARM_UP_SECONDS = 1;

/** A server with a workload. Its responses are checked before the first round. */
export async function serverCase(
  scenario: string,
  target: Target,
  workload: Workload,
  generator: LoadGenerator,
): Promise<BenchmarkCase> {
  const { url, key, pid, databasePid } = target;
  const source = workload.mix === 'same' ? target.unchanged : target.source;
  const load = { url, key, source, workload };
  await warmUpAndCheck(target.name, load, generator);
  const usage = () => ({
    server: cpuOfTree(pid),
    database: databasePid === undefined ? Number.NaN : cpuOfTree(databasePid),
    load: cpuOf(process.pid),
  });
  return {
    scenario,
    target: target.name,
    async round(seconds) {
      const before = usage();
      const result = await generator.run(load, seconds, false);
      const after = usage();
      // Failed requests do not count: a rejection is fast and stores nothing.
      const records = Math.max(0, result.requests - result.failures) * workload.records;
      const { p50, p90, p99 } = result;
      return {
        recordsPerSecond: records / result.seconds,
        ...{ p50, p90, p99, failures: result.failures },
        serverCpu: (after.server - before.server) / records,
        databaseCpu: (after.database - before.database) / records,
        loadCpu: (after.load - before.load) / records,
        ...memoryOfTree(pid),
      };
    },
  };
}

const checked = new Set<string>();

/** Checks every byte of the responses during the warm-up. In a round, that would use too much of the cores. */
async function warmUpAndCheck(name: string, load: Load, generator: LoadGenerator): Promise<void> {
  const checkedLoad = `${load.url}${load.workload.path} ${load.workload.mix}`;
  if (checked.has(checkedLoad)) return;
  checked.add(checkedLoad);
  const seconds = load.workload.records === 1 ? SINGLES_WARM_UP_SECONDS : BATCHES_WARM_UP_SECONDS;
  const { requests, failures } = await generator.run(load, seconds, true);
  if (failures > 0 || requests === 0)
    throw new Error(`${name}: ${failures} of ${requests} requests to ${load.workload.path} failed.`);
}
