import type { Load, LoadGenerator } from './load-generator.js';
import type { Measurement } from './measurement.js';
import { cpuOf, cpuOfTree, memoryOfTree } from './process-usage.js';
import type { Target } from './workbench.js';
import type { Workload } from './workload.js';

/** Whoever takes part in a scenario, a round at a time. */
export interface Contender {
  readonly scenario: string;
  readonly target: string;
  round(seconds: number): Promise<Measurement>;
}

/** Until Express is as fast as it gets; batches have gone through every server before, to fill its store. */
const SINGLES_WARM_UP_SECONDS = 3;
const BATCHES_WARM_UP_SECONDS = 1;

/** A server under a workload, whose answers have been checked. */
export async function serverContender(
  scenario: string,
  target: Target,
  workload: Workload,
  generator: LoadGenerator,
): Promise<Contender> {
  const { url, key, pid, databasePid } = target;
  const source = workload.mix === 'same' ? target.steady : target.source;
  const load = { url, key, source, workload };
  await checkAnswers(target.name, load, generator);
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
      // A refusal is quick, and nothing was stored.
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

/** Byte by byte, while the server warms up; in a round that would cost too much of the cores. */
async function checkAnswers(name: string, load: Load, generator: LoadGenerator): Promise<void> {
  const what = `${load.url}${load.workload.path} ${load.workload.mix}`;
  if (checked.has(what)) return;
  checked.add(what);
  const seconds = load.workload.records === 1 ? SINGLES_WARM_UP_SECONDS : BATCHES_WARM_UP_SECONDS;
  const { requests, failures } = await generator.run(load, seconds, true);
  if (failures > 0 || requests === 0)
    throw new Error(`${name}: of ${requests} answers to ${load.workload.path} ${failures} were no success.`);
}
