import { type AccountSync, AccountSyncError, type Attributes, ForbiddenError } from '@account-sync/client';
import { CommandFailed, print } from '../command-line.js';
import { COULD_NOT_RUN, connect } from '../connect.js';
import type { ImportOptions } from '../import.js';
import { nodeFetch } from '../node-fetch.js';
import { Outages } from '../outages.js';
import { StatusLine } from '../status-line.js';
import { ChangeSample } from './change-sample.js';
import { ColumnPlan } from './column-plan.js';
import { importItems } from './import-items.js';
import { ImportProgress } from './import-progress.js';
import { asJson, asText, type Outcome, planText, problemText } from './import-report.js';
import { type Items, readItems } from './item-batches.js';
import { KnownFields } from './known-fields.js';
import { Ledger } from './ledger.js';
import { openSource, type Source } from './open-source.js';
import { readColumnOptions } from './read-column-options.js';
import { RejectsFile } from './rejects-file.js';
import { rejectsPath } from './rejects-path.js';
import { openResumption } from './resumption.js';
import { Selection } from './selection.js';
import { StopRequest } from './stop-request.js';

/** How long one request may take. */
const ATTEMPT_MS = 60_000;

export async function runImport(file: string, options: ImportOptions): Promise<void> {
  const columnOptions = await readColumnOptions(options);
  const line = new StatusLine({ isQuiet: options.quiet === true });
  const outages = new Outages((said) => line.say(said));
  const progress = new ImportProgress(line, outages);
  // The head of an answer to an import comes before anything is stored: only results tell that the server is back.
  const client = await connect(options, { outages, timeoutMs: ATTEMPT_MS, fetch: nodeFetch });
  const source = await openSource(file, options);
  try {
    const known = new KnownFields(await readSchema(client, line));
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
    const outcome = await send({ file, options, line, outages, progress, client, source, known, items });
    report(outcome, options);
  } finally {
    source.close();
  }
}

function report(outcome: Outcome, options: ImportOptions): void {
  const { problem, counts } = outcome;
  const isWorthTelling = problem !== null || counts.refused > 0;
  if (!options.quiet || options.json || isWorthTelling) print(options, asJson(outcome), asText(outcome));
  if (problem !== null && !options.json) process.stderr.write(`\n${problemText(outcome)}\n`);
  process.exitCode = problem !== null ? COULD_NOT_RUN : counts.refused > 0 ? 1 : 0;
}

interface Job {
  readonly file: string;
  readonly options: ImportOptions;
  readonly line: StatusLine;
  readonly outages: Outages;
  readonly progress: ImportProgress;
  readonly client: AccountSync;
  readonly source: Source;
  readonly known: KnownFields;
  readonly items: Items;
}

async function send(job: Job): Promise<Outcome> {
  const { file, options, line, outages, progress, client, source, known, items } = job;
  const { dryRun = false, concurrency, limit } = options;
  const resumption = await openResumption(file, options, line);
  const { earlier } = resumption;
  const path = rejectsPath(file, source.format, options);
  const rejects =
    path === undefined ? undefined : new RejectsFile(path, source, items.header, earlier?.rejectsBytes);
  const sample = dryRun ? new ChangeSample() : undefined;
  const ledger = new Ledger({ rejects, sample }, earlier);
  const selection = new Selection({ skip: earlier?.records, limit });
  const stop = new StopRequest(line, selection);
  let problem: string | null = null;
  await resumption.save(ledger);
  progress.start(source, ledger, () => selection.read);
  try {
    const { signal } = stop;
    const onSettled = () => {
      outages.over();
      return resumption.saveWhenDue(ledger);
    };
    await importItems(client, selection.of(items.batches()), ledger, {
      dryRun,
      concurrency,
      signal,
      onSettled,
    });
    if (selection.isStopped) problem = stop.problem;
  } catch (error) {
    problem = stop.signal.aborted ? stop.problem : problemOf(error);
  } finally {
    stop.forget();
    progress.stop();
  }
  const changes = problem === null ? ((await sample?.read(client, known)) ?? []) : [];
  rejects?.close();
  const isResumable = await resumption.end(ledger, problem === null && !selection.isLimited);
  return {
    file: source.name,
    dryRun,
    records: ledger.records,
    recordsNow: ledger.records - (earlier?.records ?? 0),
    line: ledger.line,
    counts: ledger.counts,
    seconds: progress.seconds,
    refusals: ledger.refusals(),
    rejects: ledger.counts.refused > 0 ? (path ?? null) : null,
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
  if (error instanceof AccountSyncError || error instanceof CommandFailed || typeof code === 'string') {
    return message;
  }
  throw error;
}
