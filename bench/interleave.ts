import type { BenchmarkCase } from './benchmark-case.js';
import { interruption } from './interruption.js';
import { logProgress } from './log-progress.js';
import { type Measurement, medianMeasurement, type Row } from './measurement.js';

export interface RoundSettings {
  /** Odd, so that the median is a measured value. */
  readonly rounds: number;
  readonly seconds: number;
}

/** Runs one round of each case in turn, so that temporary noise on the machine affects all cases. */
export async function interleave(
  cases: readonly BenchmarkCase[],
  { rounds, seconds }: RoundSettings,
): Promise<Row[]> {
  const measured = cases.map((benchmarkCase) => ({ benchmarkCase, rounds: [] as Measurement[] }));
  for (let round = 1; round <= rounds; round += 1) {
    for (const { benchmarkCase, rounds: results } of measured) {
      const { scenario, target } = benchmarkCase;
      const result = await benchmarkCase.round(seconds);
      interruption.throwIfAborted();
      results.push(result);
      const { recordsPerSecond, p99, failures } = result;
      const figures = `${Math.round(recordsPerSecond)} records/s, p99 ${p99.toFixed(2)} ms`;
      logProgress(
        `${scenario}, round ${round} of ${rounds}, ${target}: ${figures}${failures > 0 ? `, ${failures} FAILED` : ''}`,
      );
    }
  }
  return measured.map(({ benchmarkCase: { scenario, target }, rounds: results }) => ({
    scenario,
    target,
    median: medianMeasurement(results),
    rounds: results,
  }));
}
