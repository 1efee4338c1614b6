import { setFlagsFromString } from 'node:v8';
import { type AccountSync, AccountSyncError, type Attributes, ForbiddenError } from '@account-sync/client';
import { COULD_NOT_RUN, connect, Outages, readServer, type Server } from '../client/connect.js';
import { CommandFailed, print } from '../terminal/command-line.js';
import { printableLines } from '../terminal/printable.js';
import { StatusLine } from '../terminal/status-line.js';
import { ChangeSample } from './change-sample.js';
import { type ColumnOptions, ColumnPlan } from './column-plan.js';
import type { ImportOptions } from './import-options.js';
import { readColumnOptions } from './import-options.js';
import { ImportProgress } from './import-progress.js';
import { asJson, asText, type Outcome, planText, problemText } from './import-report.js';
import { type Items, readItems } from './item-batches.js';
import { Selection, StopRequest } from './item-selection.js';
import { KnownFields } from './known-fields.js';
import { openImportFile, type Source } from './open-import-file.js';
import { RejectionLines } from './rejected-rows.js';
import { RejectsFile, rejectsPath } from './rejects-file.js';
import { ResultTracker } from './result-tracker.js';
import { openResumption } from './resumption.js';
import { sendItems } from './send-items.js';

/** How long one request may take. */
const ATTEMPT_MS = 60_000;

export async function runImport(file: string, options: ImportOptions): Promise<void> {
  boundHeap();
  // A reader that left, as `head` does, is no failure.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const columnOptions = await readColumnOptions(options);
  const server = await readServer(options);
  const line = new StatusLine({ isQuiet: options.quiet === true });
  const outages = new Outages((said) => line.say(said));
  const progress = new ImportProgress(line, outages);
  const client = await connect(server, { outages, timeoutMs: ATTEMPT_MS });
  const source = await openImportFile(file, options);
  try {
    const known = new KnownFields(await readSchema(client, line));
    // A key that may not read was answered too.
    outages.over();
    const plan = new ColumnPlan(known, columnOptions, source.format === 'csv');
    const items = await readItems(source, plan, options.empty);
    line.say(planText(source, items.columns, options.empty));
    const problems = plan.problems();
    if (problems.length > 0) {
      const free = plan.freeFields();
      const hint = free.length > 0 ? [`Fields that nothing is sent as yet: ${free.join(', ')}`] : [];
      throw new CommandFailed([...problems, ...hint].join('\n'));
    }
    const outcome = await send({
      file,
      server,
      columnOptions,
      options,
      line,
      progress,
      client,
      source,
      known,
      items,
    });
    report(outcome, options);
  } finally {
    source.close();
  }
}

function report(outcome: Outcome, options: ImportOptions): void {
  const { problem, counts } = outcome;
  const isWorthTelling = problem !== null || counts.refused > 0;
  if (!options.quiet || options.json || isWorthTelling) print(options, asJson(outcome), asText(outcome));
  if (problem !== null && !options.json) process.stderr.write(`\n${printableLines(problemText(outcome))}\n`);
  process.exitCode = problem !== null ? COULD_NOT_RUN : counts.refused > 0 ? 1 : 0;
}

interface Job {
  readonly file: string;
  readonly server: Server;
  readonly columnOptions: ColumnOptions;
  readonly options: ImportOptions;
  readonly line: StatusLine;
  readonly progress: ImportProgress;
  readonly client: AccountSync;
  readonly source: Source;
  readonly known: KnownFields;
  readonly items: Items;
}

async function send(job: Job): Promise<Outcome> {
  const { file, options, line, progress, client, source, known, items } = job;
  const { dryRun = false, concurrency, limit } = options;
  const resumption = await openResumption(file, job);
  const { earlier } = resumption;
  const path = rejectsPath(file, source, options);
  const rejects =
    path === undefined
      ? undefined
      : new RejectsFile(path, new RejectionLines(source, items.header), earlier?.rejects ?? undefined);
  const sample = dryRun ? new ChangeSample() : undefined;
  const tracker = new ResultTracker({ rejects, sample }, earlier);
  const selection = new Selection({ skip: earlier?.records, limit });
  const stop = new StopRequest(line, selection);
  const { signal } = stop;
  let problem: string | null = null;
  /** To mend the file, or to say something else about it, makes another import of it. */
  let isFaultOfFile = false;
  progress.start(source, tracker, () => selection.read);
  try {
    await resumption.save(tracker);
    const onSettled = () => resumption.saveWhenDue(tracker);
    const batches = selection.of(items.batches());
    await sendItems(client, batches, tracker, { dryRun, concurrency, signal, onSettled });
    if (selection.isStopped) problem = stop.problem;
  } catch (error) {
    problem = signal.aborted ? stop.problem : problemOf(error);
    isFaultOfFile = error instanceof CommandFailed;
  }
  try {
    await resumption.save(tracker);
  } catch (error) {
    problem ??= problemOf(error);
  }
  stop.forget();
  progress.stop();
  rejects?.close();
  const changes = problem === null ? ((await sample?.read(client, known)) ?? []) : [];
  const isOver = problem === null ? !selection.isLimited : isFaultOfFile || tracker.records === 0;
  const isResumable = await resumption.end(isOver);
  return {
    file: source.name,
    dryRun,
    records: tracker.records,
    recordsNow: tracker.records - (earlier?.records ?? 0),
    line: tracker.line,
    counts: tracker.counts,
    seconds: progress.seconds,
    refusals: tracker.refusals(),
    rejects: tracker.counts.refused > 0 ? (path ?? null) : null,
    changes,
    columns: items.columns,
    problem,
    isResumable,
  };
}

/** A key that may only push is enough to import. */
async function readSchema(client: AccountSync, line: StatusLine): Promise<Attributes | undefined> {
  try {
    return await client.attributes();
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    line.say('The key lacks the scope read, so only built-in fields are known here; name others with --map.');
    return undefined;
  }
}

/** What somebody outside can mend becomes a sentence of the report; everything else is ours, and is thrown. */
function problemOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const isSystem = typeof code === 'string' && !code.startsWith('ERR_');
  if (error instanceof AccountSyncError || error instanceof CommandFailed || isSystem) return message;
  throw error;
}

/**
 * An import keeps some 15 MB at a time; all else is garbage. Left to itself V8 lets that grow for the sake of speed, the
 * process up to 270 MB with Node.js 24; here it is collected sooner.
 */
export function boundHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=30');
}
