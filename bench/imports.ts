import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AccountSource } from './account-source.js';
import { interruption } from './interruption.js';
import { logProgress } from './log-progress.js';
import { mapSequentially } from './map-sequentially.js';
import { memoryOfTree } from './process-usage.js';
import { figure, textTable } from './text-table.js';
import { ON_SQLITE, type Target, Workbench } from './workbench.js';

const PROGRAM = fileURLToPath(new URL('../../main.js', import.meta.url));
const SAMPLE_INTERVAL_MS = 100;

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '3' } },
});

interface Files {
  readonly csv: string;
  readonly ndjson: string;
}

interface Run {
  readonly rate: number;
  /** Peak memory of the importer and of the server, in MiB. */
  readonly importer: number;
  readonly server: number;
}

/** Each returns the peak memory of the importer. */
const METHODS: Readonly<Record<string, (target: Target, files: Files) => Promise<number>>> = {
  'the operation alone': postFile,
  'account-sync import': runCommand,
};

/** Compares the command with a CSV to the plain operation with the same records: into an empty store, then again. */
await Workbench.use(async (workbench) => {
  const rows = Number(values.rows);
  const files = { csv: join(workbench.directory, 'a.csv'), ndjson: join(workbench.directory, 'a.ndjson') };
  logProgress(`writing ${rows} rows`);
  await writeFiles(files, rows);
  const rounds = await mapSequentially(
    Array.from({ length: Number(values.rounds) }, (_, i) => i),
    (round) =>
      mapSequentially(Object.keys(METHODS), (method) => measure(workbench, method, files, { rows, round })),
  );
  const table = (pass: 0 | 1) => {
    const alone = median(rounds.map((runs) => runs[0]?.[pass]?.rate ?? 0));
    const head = ['', 'rows/s', 'of the operation', 'importer MiB', 'server MiB'];
    const lines = Object.keys(METHODS).map((method, i) => {
      const runs = rounds.map((each) => each[i]?.[pass] as Run);
      const rate = median(runs.map((run) => run.rate));
      const peak = (side: 'importer' | 'server') => figure(Math.max(...runs.map((run) => run[side])));
      return [method, figure(rate), figure(rate / alone, 2), peak('importer'), peak('server')];
    });
    return textTable(`${rows} rows, ${pass === 0 ? 'all new' : 'again, unchanged'}`, [head, ...lines]);
  };
  process.stdout.write(`\n${table(0)}\n${table(1)}`);
});

async function measure(
  workbench: Workbench,
  method: string,
  files: Files,
  { rows, round }: { readonly rows: number; readonly round: number },
): Promise<Run[]> {
  const target = await workbench.startService(ON_SQLITE, await workbench.emptyStore(ON_SQLITE));
  const runs = await mapSequentially(['new', 'unchanged'], async (pass) => {
    interruption.throwIfAborted();
    const startedAt = performance.now();
    const importer = (await METHODS[method]?.(target, files)) ?? Number.NaN;
    const rate = rows / ((performance.now() - startedAt) / 1000);
    logProgress(`round ${round + 1}, ${method}, ${pass}: ${figure(rate)} rows/s`);
    return { rate, importer, server: memoryOfTree(target.pid).peakMemory };
  });
  await workbench.stop(target);
  return runs;
}

/** The lower bound of the work: sends the bytes of the file and reads the bytes of the response. */
async function postFile({ url, key }: Target, { ndjson }: Files): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
  const sending = request(`${url}/api/v2/accounts/import`, { method: 'POST', headers });
  const responded = once(sending, 'response');
  const sent = pipeline(createReadStream(ndjson), sending);
  const [response] = await responded;
  let end = '';
  for await (const piece of response) end = (end + piece).slice(-300);
  await sent;
  const { failed, is_complete } = JSON.parse(end.trimEnd().split('\n').at(-1) ?? '').summary;
  if (failed !== 0 || !is_complete) throw new Error(`The import ended with ${end}`);
  return Number.NaN;
}

async function runCommand({ url, key }: Target, { csv }: Files): Promise<number> {
  const env = { ...process.env, ACCOUNT_SYNC_URL: url, ACCOUNT_SYNC_KEY: key };
  const child = spawn(process.execPath, [PROGRAM, 'import', csv, '--quiet'], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let peak = 0;
  const timer = setInterval(() => {
    const { peakMemory } = memoryOfTree(child.pid ?? 0);
    if (peakMemory > peak) peak = peakMemory;
  }, SAMPLE_INTERVAL_MS);
  const [status] = await once(child, 'exit');
  clearInterval(timer);
  if (status !== 0) throw new Error(`The command exited with ${status}.`);
  return peak;
}

/** Writes the same records as CSV and as NDJSON. */
async function writeFiles({ csv, ndjson }: Files, rows: number): Promise<void> {
  const source = new AccountSource('Account');
  const [csvFile, ndjsonFile] = [createWriteStream(csv), createWriteStream(ndjson)];
  for (let written = 0; written < rows; ) {
    const records = source.next('new', Math.min(10_000, rows - written));
    if (written === 0) csvFile.write(`${Object.keys(records[0] ?? {}).join(',')}\r\n`);
    const cells = records.map((record) => `${Object.values(record).join(',')}\r\n`).join('');
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    for (const [file, text] of [
      [csvFile, cells],
      [ndjsonFile, lines],
    ] as const) {
      if (!file.write(text)) await once(file, 'drain');
    }
    written += records.length;
  }
  for (const file of [csvFile, ndjsonFile]) {
    file.end();
    await once(file, 'close');
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
