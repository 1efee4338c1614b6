import type { AccountSource } from './account-source.js';
import type { Workload } from './workload.js';

export interface Load {
  readonly url: string;
  readonly key: string;
  readonly source: AccountSource;
  readonly workload: Workload;
}

export interface LoadResult {
  readonly requests: number;
  /** Responses other than `200 {"success":true}`, and requests without a response. */
  readonly failures: number;
  readonly seconds: number;
  /** Percentiles of the latencies, in milliseconds. */
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

export interface LoadGenerator {
  readonly name: string;
  /** Each connection sends its next request after the response to the last. `checked` compares every response byte. */
  run(load: Load, seconds: number, checked: boolean): Promise<LoadResult>;
}
