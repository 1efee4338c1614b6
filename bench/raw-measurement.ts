import { latencyPercentiles } from './latency-percentiles.js';
import type { Measurement } from './measurement.js';
import { cpuOf, cpuOfTree } from './process-usage.js';

/** Measures work of this process on a database without a server; `work` reports the latency of each commit. */
export async function rawMeasurement(
  rowsPerCommit: number,
  databasePid: number | undefined,
  work: (onCommit: (latency: number) => void) => Promise<unknown>,
): Promise<Measurement> {
  const latencies: number[] = [];
  const usage = () => ({
    own: cpuOf(process.pid),
    database: databasePid === undefined ? Number.NaN : cpuOfTree(databasePid),
  });
  const before = usage();
  const startedAt = performance.now();
  await work((latency) => latencies.push(latency));
  const seconds = (performance.now() - startedAt) / 1000;
  const after = usage();
  const records = latencies.length * rowsPerCommit;
  return {
    recordsPerSecond: records / seconds,
    ...latencyPercentiles(latencies),
    failures: 0,
    serverCpu: (after.own - before.own) / records,
    databaseCpu: (after.database - before.database) / records,
    loadCpu: Number.NaN,
    memory: Number.NaN,
    peakMemory: Number.NaN,
  };
}
