import type { Histogram } from 'prom-client';
import { BUCKETS, type DurationCounts, type RequestCounts } from './request-counts.js';

/**
 * Registers counts that exist already as a histogram of prom-client, whose own `Histogram` can only count itself. This
 * relies on an internal form: the registry calls `get()` of each metric and reads name, help, type, aggregator and
 * values.
 * If the library changes that form, `account_sync_http_request_duration_seconds` is missing or wrong in `/metrics`, and
 * the tests of the metrics fail.
 */
export function durationHistogram(name: string, help: string, counts: RequestCounts): Histogram<'operation'> {
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: [...counts.durations()].flatMap((one) => valuesOf(name, one)),
  });
  return { name, help, get } as unknown as Histogram<'operation'>;
}

function valuesOf(name: string, { operation, durations, seconds }: DurationCounts) {
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
