import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CHANGED_LICENSES, STRIDE } from './account-source.js';
import { interruption } from './interruption.js';
import type { LoadGenerator } from './load-generator.js';

// The compiler does not copy the script to dist/.
const SCRIPT = fileURLToPath(new URL('../../../bench/load.lua', import.meta.url));

/** The script receives the counters of a source and returns them, so that the next run continues from there. */
export function wrk(version: string): LoadGenerator {
  return {
    name: version,
    async run({ url, key, source, workload }, seconds, checked) {
      const { path, records, connections, mix } = workload;
      const flags = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', SCRIPT, url, '--'];
      const { created, changes, position, span } = source.counters;
      const pattern = [path, key, source.prefix, mix, checked, records, STRIDE, CHANGED_LICENSES];
      const args = [...flags, ...[...pattern, created, changes, position, span].map(String)];
      const { stdout } = await promisify(execFile)('wrk', args, { signal: interruption });
      const { counters, ...result } = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{')));
      source.counters = counters;
      return result;
    },
  };
}
