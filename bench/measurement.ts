/** The figures of one round of one case. A figure that does not apply, or is not available here, is NaN. */
export interface Measurement {
  readonly recordsPerSecond: number;
  /** Percentiles of the request latencies, in milliseconds. */
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly failures: number;
  /** Microseconds of processor time per record: of the server, of its PostgreSQL, of the load generator. */
  readonly serverCpu: number;
  readonly databaseCpu: number;
  readonly loadCpu: number;
  /** Resident memory of the server in MiB: after the round, and the peak since its start. */
  readonly memory: number;
  readonly peakMemory: number;
}

/** All rounds of one case. */
export interface Row {
  readonly scenario: string;
  readonly target: string;
  /** The median of each figure; for failures, the sum. */
  readonly median: Measurement;
  readonly rounds: readonly Measurement[];
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function medianMeasurement(rounds: readonly Measurement[]): Measurement {
  const [first] = rounds;
  const names = Object.keys(first ?? {}) as (keyof Measurement)[];
  const medians = names.map((name) => [name, median(rounds.map((round) => round[name]))]);
  const failures = rounds.reduce((sum, round) => sum + round.failures, 0);
  return { ...Object.fromEntries(medians), failures };
}

/** The medians of a case; `undefined` if it was skipped. */
export function find(rows: readonly Row[], scenario: string, target: string): Measurement | undefined {
  return rows.find((row) => row.scenario === scenario && row.target === target)?.median;
}
