import { setFlagsFromString } from 'node:v8';
import { type AccountSync, AccountSyncError, type RunDetails } from '@account-sync/client';
import { COULD_NOT_RUN, connect, Outages, readServer, type Server } from '../client/connect.js';
import { CommandFailed, print } from '../terminal/command-line.js';
import { megabytes, printableLines } from '../terminal/printable.js';
import { StatusLine } from '../terminal/status-line.js';
import { ChangeSample } from './change-sample.js';
import { checkFirstRecords, tooManyRejected } from './check-first-records.js';
import { openCheckpoint } from './import-checkpoint.js';
import type { ImportOptions } from './import-options.js';
import { type ImportPlan, planImport } from './import-plan.js';
import { ImportProgress } from './import-progress.js';
import { asJson, asText, type ImportOutcome, problemText } from './import-report.js';
import { ItemSelection, StopRequest } from './item-selection.js';
import { openImportFile } from './open-import-file.js';
import { readSchema } from './read-schema.js';
import { RejectedRowFormatter } from './rejected-row-formatter.js';
import { RejectsFile, rejectsPath } from './rejects-file.js';
import { ResultTracker } from './result-tracker.js';
import { abandonRun, continueRun, finishRun, isAboutRun, rejectUnknowable } from './run-of-import.js';
import { sendItems } from './send-items.js';

/** The timeout of one request. */
export const REQUEST_TIMEOUT_MS = 60_000;

/**
 * `account-sync import`: a caller like any other, which reads and sends in bounded pieces.
 *
 *   open-import-file ─▶ column-plan ─▶ file-scan ─▶ import-rows ─▶ item-selection ─▶ send-items ─▶ result-tracker
 *   unpack, decode      column = field  all values   rows → items   skip, limit       client        outcome per row,
 *                                                                                                   in file order
 *   import-report ◀── rejects-file (rejected rows), import-checkpoint (how far, for --resume) ◀───────────┘
 *
 * Nothing is sent while a column or the form of its values is unclear, and nothing is stored if most of the first
 * records would be rejected. The checkpoint counts records from the start of the file whose outcome is known; it and
 * the rejects file are on disk before it moves on.
 */
export async function runImport(file: string, options: ImportOptions): Promise<void> {
  boundHeap();
  // The process after the pipe may close it early, as `head` does: that is not a failure.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const line = new StatusLine({ isQuiet: options.quiet === true || options.json === true });
  try {
    report(await planAndSend(file, options, line), options);
  } catch (error) {
    line.clear();
    if (!options.json) throw error;
    // Scripts read one stream.
    print(options, { file, is_complete: false, problem: problemOf(error) }, '');
    process.exitCode = COULD_NOT_RUN;
  }
}

async function planAndSend(file: string, options: ImportOptions, line: StatusLine): Promise<ImportOutcome> {
  rejectUnknowable(options);
  const server = await readServer(options);
  const outages = new Outages((message) => line.log(message));
  const client = await connect(server, { outages, timeoutMs: REQUEST_TIMEOUT_MS });
  const onCopied = (bytes: number) => line.show(() => `Reading standard input: ${megabytes(bytes)}`);
  const importFile = await openImportFile(file, { ...options, onCopied });
  try {
    const schema = await readSchema(client, line, 'Name other fields with --map.');
    // Even a 403 shows that the server is reachable.
    outages.onRecovered();
    const plan = await planImport({ importFile, schema, client, options, line });
    const progress = new ImportProgress(line, outages);
    return await sendAll({ file, server, options, line, progress, client, plan });
  } finally {
    await importFile.close();
  }
}

function report(outcome: ImportOutcome, options: ImportOptions): void {
  const { problem, counts } = outcome;
  const hasProblems = problem !== null || counts.refused > 0;
  if (!options.quiet || options.json || hasProblems) print(options, asJson(outcome), asText(outcome));
  if (problem !== null && !options.json) process.stderr.write(`\n${printableLines(problemText(outcome))}\n`);
  process.exitCode = problem !== null ? COULD_NOT_RUN : counts.refused > 0 ? 1 : 0;
}

interface ImportRun {
  readonly file: string;
  readonly server: Server;
  readonly options: ImportOptions;
  readonly line: StatusLine;
  readonly progress: ImportProgress;
  readonly client: AccountSync;
  readonly plan: ImportPlan;
}

async function sendAll(run: ImportRun): Promise<ImportOutcome> {
  const { file, options, line, progress, client, plan } = run;
  const { importFile, rows } = plan;
  const { dryRun = false, mode, concurrency, limit } = options;
  const checkpoint = await openCheckpoint(file, run);
  const { earlier } = checkpoint;
  const path = rejectsPath(file, importFile, options);
  if (!dryRun && options.maxRejected < 100 && !earlier?.records) {
    const tracker = await checkFirstRecords(run);
    const problem = tooManyRejected(tracker, options);
    if (problem !== null) return { ...outcomeOf(run, tracker), dryRun: true, problem };
  }
  const formatter = new RejectedRowFormatter(importFile, rows.header);
  const rejects =
    path === undefined ? undefined : new RejectsFile(path, formatter, earlier?.rejects ?? undefined);
  const sample = dryRun ? new ChangeSample() : undefined;
  const tracker = new ResultTracker({ rejects, sample, original: rows.original }, earlier);
  const selection = new ItemSelection({ skip: earlier?.records, limit });
  const stop = new StopRequest(line, selection);
  const { signal } = stop;
  let problem: string | null = null;
  /** If the file or the options are wrong, correcting them starts a new import, so this one is not resumable. */
  let isInputError = false;
  let isRead = false;
  progress.start(importFile, tracker, () => selection.read);
  try {
    if (!dryRun) checkpoint.run = await continueRun(client, earlier, options, signal);
    const { run } = checkpoint;
    await checkpoint.save(tracker);
    const onSettled = () => checkpoint.saveWhenDue(tracker);
    const batches = selection.chunks(rows.batches(plan.conversions));
    await sendItems(client, batches, tracker, { dryRun, mode, run, concurrency, signal, onSettled });
    isRead = !selection.isStopped;
    problem = selection.isStopped ? stop.problem : dryRun ? tooManyRejected(tracker, options) : null;
  } catch (error) {
    problem = signal.aborted ? stop.problem : problemOf(error);
    // The next attempt with --resume opens another.
    if (isAboutRun(error)) checkpoint.run = undefined;
    isInputError = error instanceof CommandFailed;
  }
  try {
    await checkpoint.save(tracker);
  } catch (error) {
    problem ??= problemOf(error);
  }
  stop.dispose();
  progress.stop();
  rejects?.close();
  const changes = problem === null ? ((await sample?.read(client, plan.known)) ?? []) : [];
  const isFinished = problem === null ? !selection.isLimited : isInputError || tracker.records === 0;
  const isResumable = await checkpoint.end(isFinished);
  // A dry run says at its end that an import would stop.
  const isSent = problem === null || (dryRun && isRead);
  let finished: RunDetails | undefined;
  if (checkpoint.run !== undefined && !isResumable) {
    try {
      finished = isSent
        ? await finishRun(client, checkpoint.run, tracker.unidentified, options)
        : await abandonRun(client, checkpoint.run);
    } catch (error) {
      problem ??= problemOf(error);
    }
  }
  return {
    ...outcomeOf(run, tracker),
    recordsNow: tracker.records - (earlier?.records ?? 0),
    rejects: tracker.counts.refused > 0 ? (rejects?.path ?? null) : null,
    changes,
    problem,
    isSent,
    isResumable,
    run: checkpoint.run ?? null,
    missing: finished?.missing ?? null,
    archived: finished?.archived ?? 0,
  };
}

function outcomeOf({ options, progress, plan }: ImportRun, tracker: ResultTracker): ImportOutcome {
  return {
    plan,
    dryRun: options.dryRun ?? false,
    records: tracker.records,
    recordsNow: tracker.records,
    line: tracker.line,
    counts: tracker.counts,
    seconds: progress.seconds,
    reasons: tracker.reasons(),
    rejects: null,
    changes: [],
    problem: null,
    isSent: true,
    isResumable: false,
    run: null,
    missing: null,
    archived: 0,
  };
}

/** The message of an error that the user can fix; throws all other errors, which are bugs. */
export function problemOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const isSystem = typeof code === 'string' && !code.startsWith('ERR_');
  if (error instanceof AccountSyncError || error instanceof CommandFailed || isSystem) return message;
  throw error;
}

/**
 * Makes V8 collect garbage sooner. An import has about 15 MB of live data; with the defaults of V8, which prefer speed,
 * the process grows to 270 MB with Node.js 24.
 */
export function boundHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=30');
}
