import type { Histogram } from 'prom-client';

/** In seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

interface OperationCounts {
  /** By method, then by status. */
  readonly requests: Map<string, Map<number, number>>;
  records: number;
  seconds: number;
  /** The last is for what takes longer than the longest. */
  readonly durations: number[];
}

export interface RequestCount {
  readonly labels: { readonly operation: string; readonly method: string; readonly status: number };
  readonly count: number;
}

/** Counts requests in plain numbers, since the metrics of the library cost thirty times as much; read when asked for. */
export class RequestCounts {
  readonly #operations = new Map<string, OperationCounts>();

  note(operation: string, method: string, status: number, records: number, seconds: number): void {
    let tally = this.#operations.get(operation);
    if (tally === undefined) {
      tally = { requests: new Map(), records: 0, seconds: 0, durations: Array(BUCKETS.length + 1).fill(0) };
      this.#operations.set(operation, tally);
    }
    let statuses = tally.requests.get(method);
    if (statuses === undefined) {
      statuses = new Map();
      tally.requests.set(method, statuses);
    }
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    tally.records += records;
    tally.seconds += seconds;
    let bucket = 0;
    while (seconds > (BUCKETS[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    tally.durations[bucket] = (tally.durations[bucket] ?? 0) + 1;
  }

  *requests(): Iterable<RequestCount> {
    for (const [operation, { requests }] of this.#operations) {
      for (const [method, statuses] of requests) {
        for (const [status, count] of statuses) yield { labels: { operation, method, status }, count };
      }
    }
  }

  *records(): Iterable<{ operation: string; records: number }> {
    for (const [operation, { records }] of this.#operations) if (records > 0) yield { operation, records };
  }

  /** A metric for a registry, in the form of the library's own. */
  durations(name: string, help: string): Histogram<'operation'> {
    const get = async () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: [...this.#operations].flatMap(([operation, tally]) => histogram(name, operation, tally)),
    });
    return { name, help, get } as unknown as Histogram<'operation'>;
  }
}

function histogram(name: string, operation: string, { durations, seconds }: OperationCounts) {
  let count = 0;
  const buckets = durations.map((value, i) => {
    count += value;
    return { metricName: `${name}_bucket`, labels: { le: BUCKETS[i] ?? '+Inf', operation }, value: count };
  });
  const labels = { operation };
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
