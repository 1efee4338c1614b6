import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AccountSource } from './account-source.js';
import { inOrder } from './in-order.js';
import { interruption } from './interruption.js';
import { memoryOfTree } from './process-usage.js';
import { say } from './say.js';
import { figure, textTable } from './text-table.js';
import { ON_SQLITE, type Target, Workbench } from './workbench.js';

const PROGRAM = fileURLToPath(new URL('../../main.js', import.meta.url));
const LOOK_MS = 100;

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '3' } },
});

interface Files {
  readonly csv: string;
  readonly ndjson: string;
}

interface Run {
  readonly rate: number;
  /** The most that the importer and the server had, in MiB. */
  readonly importer: number;
  readonly server: number;
}

/** Each gives the peak of the importer's memory. */
const WAYS: Readonly<Record<string, (target: Target, files: Files) => Promise<number>>> = {
  'the operation alone': postFile,
  'account-sync import': runCommand,
};

/** The command with a CSV beside the bare operation with the same records, in turns, into empty stores and again. */
await Workbench.use(async (workbench) => {
  const rows = Number(values.rows);
  const files = { csv: join(workbench.directory, 'a.csv'), ndjson: join(workbench.directory, 'a.ndjson') };
  say(`writing ${rows} rows`);
  await writeFiles(files, rows);
  const rounds = await inOrder(
    Array.from({ length: Number(values.rounds) }, (_, i) => i),
    (round) => inOrder(Object.keys(WAYS), (way) => measure(workbench, way, files, { rows, round })),
  );
  const table = (pass: 0 | 1) => {
    const alone = median(rounds.map((runs) => runs[0]?.[pass]?.rate ?? 0));
    const head = ['', 'rows/s', 'of the operation', 'importer MiB', 'server MiB'];
    const lines = Object.keys(WAYS).map((way, i) => {
      const runs = rounds.map((each) => each[i]?.[pass] as Run);
      const rate = median(runs.map((run) => run.rate));
      const peak = (side: 'importer' | 'server') => figure(Math.max(...runs.map((run) => run[side])));
      return [way, figure(rate), figure(rate / alone, 2), peak('importer'), peak('server')];
    });
    return textTable(`${rows} rows, ${pass === 0 ? 'all new' : 'again, unchanged'}`, [head, ...lines]);
  };
  process.stdout.write(`\n${table(0)}\n${table(1)}`);
});

async function measure(
  workbench: Workbench,
  way: string,
  files: Files,
  { rows, round }: { readonly rows: number; readonly round: number },
): Promise<Run[]> {
  const target = await workbench.startService(ON_SQLITE, await workbench.emptyStore(ON_SQLITE));
  const runs = await inOrder(['new', 'unchanged'], async (pass) => {
    interruption.throwIfAborted();
    const startedAt = performance.now();
    const importer = (await WAYS[way]?.(target, files)) ?? Number.NaN;
    const rate = rows / ((performance.now() - startedAt) / 1000);
    say(`round ${round + 1}, ${way}, ${pass}: ${figure(rate)} rows/s`);
    return { rate, importer, server: memoryOfTree(target.pid).peakMemory };
  });
  await workbench.stop(target);
  return runs;
}

/** The least that can be done: bytes out, bytes in. */
async function postFile({ url, key }: Target, { ndjson }: Files): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
  const sending = request(`${url}/api/v2/accounts/import`, { method: 'POST', headers });
  const answered = once(sending, 'response');
  const sent = pipeline(createReadStream(ndjson), sending);
  const [response] = await answered;
  let end = '';
  for await (const piece of response) end = (end + piece).slice(-300);
  await sent;
  if (!end.includes('"failed":0,"dry_run":false,"is_complete":true')) throw new Error(`It ended with ${end}`);
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
  }, LOOK_MS);
  const [status] = await once(child, 'exit');
  clearInterval(timer);
  if (status !== 0) throw new Error(`The command ended with ${status}.`);
  return peak;
}

/** The same records in both forms. */
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
