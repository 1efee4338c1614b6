/** What one round shows of one contender. A figure that does not apply, or is unknown here, is NaN. */
export interface Measurement {
  readonly recordsPerSecond: number;
  /** Of the latencies of requests, in milliseconds. */
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly failures: number;
  /** Microseconds of processor time a record: of the server, of its PostgreSQL, of whoever produces the load. */
  readonly serverCpu: number;
  readonly databaseCpu: number;
  readonly loadCpu: number;
  /** Resident memory of the server in MiB after the round, and the most since it started. */
  readonly memory: number;
  readonly peakMemory: number;
}

/** All rounds of a contender in a scenario. */
export interface Row {
  readonly scenario: string;
  readonly target: string;
  /** Each figure's own median; of the failures the sum. */
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

/** What was measured in a scenario; `undefined` where it was left out. */
export function find(rows: readonly Row[], scenario: string, target: string): Measurement | undefined {
  return rows.find((row) => row.scenario === scenario && row.target === target)?.median;
}
