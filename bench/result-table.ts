import type { LoadResult } from './load.js';
import type { Workload } from './requests.js';
import { CEILING, EXPRESS } from './with-targets.js';

const HEAD = ['target', 'records/s', 'p50 ms', 'p99 ms', 'failures', 'of the ceiling', 'of Express'];

/** Of each target the round with the median throughput, and the failures of all its rounds. */
export function resultTable({ name, records }: Workload, results: ReadonlyMap<string, LoadResult[]>): string {
  const medians = new Map([...results].map(([target, rounds]) => [target, medianOf(rounds)]));
  const rows = [...medians].map(([target, { requestsPerSecond, p50, p99, failures }]) => {
    const ratio = (to: string) => (requestsPerSecond / (medians.get(to)?.requestsPerSecond ?? 0)).toFixed(2);
    const perSecond = Math.round(requestsPerSecond * records);
    return [target, perSecond, p50.toFixed(1), p99.toFixed(1), failures, ratio(CEILING), ratio(EXPRESS)];
  });
  const all = [HEAD, ...rows.map((row) => row.map(String))];
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
  );
  return `${name}\n\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

function medianOf(rounds: readonly LoadResult[]): LoadResult {
  const sorted = rounds.toSorted((a, b) => a.requestsPerSecond - b.requestsPerSecond);
  const median = sorted[Math.floor(sorted.length / 2)] as LoadResult;
  return { ...median, failures: rounds.reduce((sum, round) => sum + round.failures, 0) };
}
