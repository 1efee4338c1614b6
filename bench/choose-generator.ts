import { spawnSync } from 'node:child_process';
import type { LoadGenerator } from './load-generator.js';
import { sockets } from './sockets.js';
import { wrk } from './wrk.js';

/** Prefers `wrk` if it is installed, because it leaves most of the cores to the server. */
export function chooseGenerator(): LoadGenerator {
  const { stdout, error } = spawnSync('wrk', ['--version'], { encoding: 'utf8' });
  return error === undefined ? wrk(stdout.split(' [')[0] ?? 'wrk') : sockets;
}
