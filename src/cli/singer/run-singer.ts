import type { AccountSync, WriteMode } from '@account-sync/client';
import { COULD_NOT_RUN, connect, Outages, readServer, type ServerOptions } from '../client/connect.js';
import { decode } from '../import/decode.js';
import { ItemSelection, StopRequest } from '../import/item-selection.js';
import { textOfMember } from '../import/json.js';
import { ndjsonRecords } from '../import/json-records.js';
import { KnownFields } from '../import/known-fields.js';
import { readSchema } from '../import/read-schema.js';
import { ResultTracker } from '../import/result-tracker.js';
import { boundHeap, problemOf, REQUEST_TIMEOUT_MS } from '../import/run-import.js';
import { abandonRun } from '../import/run-of-import.js';
import { sendItems } from '../import/send-items.js';
import { CommandFailed } from '../terminal/command-line.js';
import { printable, printableLines } from '../terminal/printable.js';
import { StatusLine } from '../terminal/status-line.js';
import { gatherItems } from './gather-items.js';
import { MessageReader } from './message-reader.js';
import { RejectionLimit } from './rejection-limit.js';
import { RejectsLog } from './rejects-log.js';
import { asJson, asText, planText, progressText, type SingerOutcome } from './singer-report.js';
import { StateOutput } from './state-output.js';
import { readStreamMappings, type StreamMappings } from './stream-mappings.js';

export interface SingerOptions extends ServerOptions {
  readonly mapping?: string;
  readonly stream?: readonly string[];
  readonly rejects: string;
  readonly maxRejected: number;
  readonly mode?: WriteMode;
  readonly concurrency: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/**
 * `account-sync singer`: a Singer target, which sends records as `account-sync import` does.
 *
 *   standard input ─▶ message-reader ─▶ gather-items ─▶ send-items ─▶ result-tracker ─▶ rejects-log
 *                       │ states with their position                     │ how many are settled
 *                       └────────────────▶ state-output ◀────────────────┘ ─▶ standard output
 *
 * A state is written only when every record before it is stored, or in the file of rejected records. At most a few
 * requests' worth of records is in memory: while the server is busy, nothing is read, and the tap waits.
 */
export async function runSinger(options: SingerOptions): Promise<void> {
  boundHeap();
  // Whether the reader of the states is gone is noticed when one is written.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  if (process.stdin.isTTY) {
    throw new CommandFailed('Standard input is a terminal. Pipe the output of a tap into the command.');
  }
  const mappings = await readStreamMappings(options);
  const server = await readServer(options);
  const line = new StatusLine({ isQuiet: options.quiet === true });
  const outages = new Outages((message) => line.log(message));
  const client = await connect(server, { outages, timeoutMs: REQUEST_TIMEOUT_MS });
  const known = new KnownFields(await readSchema(client, line, 'Map the others by their names.'));
  // Even a 403 shows that the server is reachable.
  outages.onRecovered();
  try {
    report(await receive({ options, mappings, line, client, known }), options);
  } finally {
    process.stdin.destroy();
  }
}

interface Target {
  readonly options: SingerOptions;
  readonly mappings: StreamMappings;
  readonly line: StatusLine;
  readonly client: AccountSync;
  readonly known: KnownFields;
}

async function receive(target: Target): Promise<SingerOutcome> {
  const { options, line, client } = target;
  const startedAt = performance.now();
  const parts = partsOf(target);
  const { rejects, tracker, limit, states, reader, selection, stop } = parts;
  let run: string | undefined;
  let problem: string | null = null;
  try {
    run = await openRun(client, options, stop.signal);
    await send(target, parts, run);
    if (selection.isStopped) problem = stop.problem;
    else limit.check(tracker, true);
    await states.write();
  } catch (error) {
    problem = stop.signal.aborted ? stop.problem : problemOf(error);
  }
  try {
    // Records behind the last state may have been rejected, too.
    tracker.flush();
  } catch (error) {
    problem ??= problemOf(error);
  }
  stop.dispose();
  line.clear();
  rejects.close();
  if (run !== undefined) await (problem === null ? finishRun : abandonRun)(client, run);
  return {
    records: tracker.records,
    counts: tracker.counts,
    seconds: (performance.now() - startedAt) / 1000,
    reasons: tracker.reasons(),
    rejects: tracker.counts.refused > 0 ? rejects.path : null,
    deleted: reader.deleted,
    deletedIds: reader.deletedIds,
    absentStreams: problem === null ? reader.absentStreams : [],
    hasState: states.hasWritten,
    run: run ?? null,
    problem,
  };
}

type Parts = ReturnType<typeof partsOf>;

function partsOf({ options, mappings, known, line }: Target) {
  const rejects = new RejectsLog(options.rejects);
  const tracker = new ResultTracker({
    rejects,
    // The record as it is sent, with the names of its fields.
    original: ({ original }, field) => textOfMember(original as string, (name) => name === field),
  });
  const limit = new RejectionLimit(options.maxRejected);
  const states = new StateOutput(tracker, limit);
  const reader = new MessageReader({
    mappings,
    known,
    states,
    onPlan: (plan) => line.log(planText(plan)),
    onIgnored: (stream) => line.log(`The stream ${printable(stream)} is not mapped, so it is not sent.`),
  });
  const selection = new ItemSelection({});
  const stop = new StopRequest(line, selection);
  return { rejects, tracker, limit, states, reader, selection, stop };
}

/** Sends everything that arrives, until the input ends or a stop is requested. */
async function send(
  { options: { mode, concurrency }, line, client }: Target,
  { reader, selection, stop, tracker, limit, states }: Parts,
  run: string,
): Promise<void> {
  const startedAt = performance.now();
  const onSettled = async () => {
    limit.check(tracker, false);
    await states.write();
    const seconds = (performance.now() - startedAt) / 1000;
    line.show(() => progressText(tracker.records, tracker.counts.refused, seconds));
  };
  /** Items that cannot be sent are settled without a result, and states may come without items. */
  async function* batches() {
    const text = decode(process.stdin, 'utf-8', 'Standard input', 'A tap writes UTF-8.');
    for await (const items of gatherItems(reader.read(ndjsonRecords(text)))) {
      yield items;
      await onSettled();
    }
  }
  await sendItems(client, selection.chunks(batches()), tracker, {
    dryRun: false,
    mode,
    run,
    concurrency,
    signal: stop.signal,
    onSettled,
  });
}

/** An incremental tap sends only what has changed, so no account is missing from its run. */
async function openRun(client: AccountSync, { mode }: SingerOptions, signal: AbortSignal): Promise<string> {
  const { id } = await client.openRun({ ...(mode !== undefined && { mode }), missing: 'ignore', signal });
  return id;
}

/** If it cannot be finished now, it ends by itself a day later. */
async function finishRun(client: AccountSync, run: string): Promise<void> {
  await client.finishRun(run).catch(() => undefined);
}

/** On standard error, because standard output is for states. */
function report(outcome: SingerOutcome, { json, quiet }: SingerOptions): void {
  const { problem, counts } = outcome;
  const hasProblems = problem !== null || counts.refused > 0;
  if (json) process.stderr.write(`${asJson(outcome)}\n`);
  else if (!quiet || hasProblems) process.stderr.write(`${printableLines(asText(outcome))}\n`);
  process.exitCode = problem !== null ? COULD_NOT_RUN : counts.refused > 0 ? 1 : 0;
}
