/** Sorts the latencies in place. */
export function latencyPercentiles(latencies: number[]): { p50: number; p90: number; p99: number } {
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}
