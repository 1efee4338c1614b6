import { spawnSync } from 'node:child_process';
import type { AccountSource } from './account-source.js';
import { sockets } from './sockets.js';
import type { Workload } from './workload.js';
import { wrk } from './wrk.js';

export interface Load {
  readonly url: string;
  readonly key: string;
  readonly source: AccountSource;
  readonly workload: Workload;
}

export interface LoadResult {
  readonly requests: number;
  /** Answers other than `200 {"success":true}`, and requests without an answer. */
  readonly failures: number;
  readonly seconds: number;
  /** Of the latencies, in milliseconds. */
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

export interface LoadGenerator {
  readonly name: string;
  /** Each connection sends its next request when the last is answered; `checked` looks at every byte of the answers. */
  run(load: Load, seconds: number, checked: boolean): Promise<LoadResult>;
}

/** `wrk` where it is installed, since it leaves the most of the cores to the server. */
export function chooseGenerator(): LoadGenerator {
  const { stdout, error } = spawnSync('wrk', ['--version'], { encoding: 'utf8' });
  return error === undefined ? wrk(stdout.split(' [')[0] ?? 'wrk') : sockets;
}
