import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LoadResult, run } from './load.js';
import { AccountSource, batchRequest, singleRequest } from './requests.js';

const BATCH = 200;
const ROUNDS = 3;
const SECONDS = 4;

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

const workloads = [
  { name: 'single upserts', connections: 64, records: 1, request: singleRequest },
  {
    name: `batches of ${BATCH}`,
    connections: 8,
    records: BATCH,
    request: (source: AccountSource, key: string) => batchRequest(source, key, BATCH),
  },
] as const;

interface Target {
  readonly child: ChildProcess;
  readonly url: string;
  readonly key: string;
  readonly source: AccountSource;
}

/** The service beside a bare server in one run, round by round in turn, so that a noisy machine is noisy for both. */
async function compare(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'account-sync-bench-'));
  const ceiling = await start([path('./ceiling.js')], {});
  const service = await start([path('../main.js'), 'serve'], {
    ACCOUNT_SYNC_PORT: '0',
    ACCOUNT_SYNC_DATA_DIR: dataDir,
  });
  try {
    for (const workload of workloads) {
      const results: Record<'ceiling' | 'service', LoadResult[]> = { ceiling: [], service: [] };
      for (let round = 1; round <= ROUNDS; round += 1) {
        for (const [name, { url, key, source }] of Object.entries({ ceiling, service })) {
          process.stderr.write(`${workload.name}, round ${round} of ${ROUNDS}: ${name} …\n`);
          const nextRequest = () => workload.request(source, key);
          const result = await run({ url, connections: workload.connections, seconds: SECONDS, nextRequest });
          results[name as keyof typeof results].push(result);
        }
      }
      report(workload.name, workload.records, results);
    }
  } finally {
    for (const { child } of [ceiling, service]) child.kill('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function report(name: string, records: number, results: Record<'ceiling' | 'service', LoadResult[]>): void {
  const ceiling = medianOf(results.ceiling);
  const service = medianOf(results.service);
  const row = (label: string, { requestsPerSecond, p50, p99, failures }: LoadResult) =>
    `  ${label.padEnd(16)}${String(Math.round(requestsPerSecond * records)).padStart(10)} records/s` +
    `   p50 ${p50.toFixed(1)} ms   p99 ${p99.toFixed(1)} ms   failures ${failures}`;
  const ratio = (service.requestsPerSecond / ceiling.requestsPerSecond).toFixed(2);
  const lines = [name, row('bare node:http', ceiling), row('account-sync', service), `  ratio ${ratio}`, ''];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function medianOf(results: LoadResult[]): LoadResult {
  const sorted = results.toSorted((a, b) => a.requestsPerSecond - b.requestsPerSecond);
  return sorted[Math.floor(sorted.length / 2)] as LoadResult;
}

function start(args: string[], settings: Record<string, string>) {
  const child = spawn(process.execPath, args, {
    // The server makes its own key, whatever is set in this shell.
    env: { ...process.env, ACCOUNT_SYNC_API_KEY: '', ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise<Target>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const url = /Address {2}(\S+)\n/.exec(output)?.[1];
      const key = /API key {2}(\S+)\n/.exec(output)?.[1];
      if (url !== undefined && (key !== undefined || !output.includes('Store')))
        resolve({ child, url, key: key ?? '', source: new AccountSource() });
    });
    child.on('exit', (status) => reject(new Error(`${args[0]} exited with ${status}.`)));
  });
}

await compare();
