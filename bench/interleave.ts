import type { Contender } from './contender.js';
import { interruption } from './interruption.js';
import { type Measurement, medianMeasurement, type Row } from './measurement.js';
import { say } from './say.js';

export interface Pace {
  /** An odd number, for the medians. */
  readonly rounds: number;
  readonly seconds: number;
}

/** Round by round in turn, so that a machine that is noisy for a while is so for all. */
export async function interleave(
  contenders: readonly Contender[],
  { rounds, seconds }: Pace,
): Promise<Row[]> {
  const measured = contenders.map((contender) => ({ contender, rounds: [] as Measurement[] }));
  for (let round = 1; round <= rounds; round += 1) {
    for (const { contender, rounds: results } of measured) {
      const { scenario, target } = contender;
      const result = await contender.round(seconds);
      interruption.throwIfAborted();
      results.push(result);
      const { recordsPerSecond, p99, failures } = result;
      const figures = `${Math.round(recordsPerSecond)} records/s, p99 ${p99.toFixed(2)} ms`;
      say(
        `${scenario}, round ${round} of ${rounds}, ${target}: ${figures}${failures > 0 ? `, ${failures} FAILED` : ''}`,
      );
    }
  }
  return measured.map(({ contender: { scenario, target }, rounds: results }) => ({
    scenario,
    target,
    median: medianMeasurement(results),
    rounds: results,
  }));
}
