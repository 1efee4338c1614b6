import type { MissingAccount, Run, RunDetails } from '@account-sync/client';
import { Command, Option } from 'commander';
import { grouped } from '../../domain/text.js';
import {
  connect,
  Outages,
  readServer,
  type ServerOptions,
  withServer,
  withServerErrors,
} from '../client/connect.js';
import { CommandFailed, type OutputOptions, print, table, withJson } from '../terminal/command-line.js';
import { readPercent } from '../terminal/percent.js';
import { printable, printableLines } from '../terminal/printable.js';

interface RunOptions extends ServerOptions, OutputOptions {}

interface ListOptions extends RunOptions {
  readonly source?: string;
  readonly state?: Run['state'];
  readonly limit: number;
}

interface FinishOptions extends RunOptions {
  readonly maxMissing?: number;
  readonly abandon?: boolean;
}

const MAX_FIELDS = 20;

export function runCommand(): Command {
  const command = new Command('run').description(
    'show the runs of sources: what they sent, and what became of it',
  );
  withServer(withJson(command.command('list').description('list runs, newest first')))
    .option('--source <name>', 'only runs of this source')
    .addOption(
      new Option('--state <state>', 'only runs in this state').choices(['open', 'finished', 'abandoned']),
    )
    .option('--limit <n>', 'how many', Number, 20)
    .action(withServerErrors(listRuns));
  withServer(withJson(command.command('show <run>').description('show one run with its fields'))).action(
    withServerErrors(showRun),
  );
  withServer(
    withJson(
      command
        .command('missing <run>')
        .description('list the accounts that are missing from a run, one per line'),
    ),
  ).action(withServerErrors(listMissing));
  withServer(
    withJson(
      command.command('finish <run>').description('finish a run that is open, and archive what is missing'),
    ),
  )
    .option(
      '--max-missing <percent>',
      'the largest share of missing accounts to archive (default: 10)',
      readPercent,
    )
    .option('--abandon', 'end it without success, and archive nothing')
    .action(withServerErrors(finishRun));
  return command;
}

async function open(options: RunOptions) {
  const outages = new Outages((line) => process.stderr.write(`${printableLines(line)}\n`));
  return connect(await readServer(options), { outages });
}

async function listRuns(options: ListOptions): Promise<void> {
  const { source, state, limit } = options;
  if (!(Number.isInteger(limit) && limit >= 1))
    throw new CommandFailed('Give --limit a whole number of at least 1.');
  const client = await open(options);
  const runs: Run[] = [];
  const filter = { ...(source !== undefined && { source }), ...(state !== undefined && { state }) };
  for await (const run of client.runs({ ...filter, limit: Math.min(limit, 1_000) })) {
    runs.push(run);
    if (runs.length === limit) break;
  }
  const head = [
    'RUN',
    'SOURCE',
    'STATE',
    'STARTED',
    'ENDED',
    'REQUESTS',
    'CREATED',
    'UPDATED',
    'UNCHANGED',
    'REJECTED',
  ];
  const rows = runs.map((run) => [
    run.id,
    run.source,
    run.state,
    timeOf(run.started_at),
    timeOf(run.ended_at),
    ...[run.requests, run.created, run.updated, run.unchanged, run.rejected].map(grouped),
  ]);
  print(options, runs, rows.length === 0 ? 'No runs.' : table(head, rows));
}

async function showRun(id: string, options: RunOptions): Promise<void> {
  const client = await open(options);
  const run = await client.run(id);
  if (run === undefined)
    throw new CommandFailed(`There is no run ${id}. List runs with: account-sync run list`);
  print(options, run, describe(run));
}

async function listMissing(id: string, options: RunOptions): Promise<void> {
  const client = await open(options);
  const missing: MissingAccount[] = [];
  for await (const account of client.missing(id)) missing.push(account);
  const rows = missing.map(({ account_id, name }) => [printable(account_id), printable(name ?? '–')]);
  print(
    options,
    missing,
    rows.length === 0 ? `No account is missing from run ${id}.` : table(['ACCOUNT', 'NAME'], rows),
  );
}

async function finishRun(id: string, options: FinishOptions): Promise<void> {
  const { maxMissing: maxMissingPercent, abandon = false } = options;
  const client = await open(options);
  const limit = maxMissingPercent === undefined ? {} : { maxMissingPercent };
  const run = await client.finishRun(id, { abandon, ...limit });
  print(options, run, describe(run));
}

function describe(run: RunDetails): string {
  const lines = [
    `Run        ${run.id} (${run.mode === 'upsert' ? run.kind : `${run.kind}, ${run.mode}`}, ${run.state})`,
    ...describeUndo(run),
    `Source     ${run.source}`,
    describeSender(run),
    `Started    ${timeOf(run.started_at)}`,
    `Ended      ${timeOf(run.ended_at)}`,
    `Requests   ${grouped(run.requests)}, of which failed: ${grouped(run.failed_requests)}`,
    `Created    ${grouped(run.created)}`,
    `Updated    ${grouped(run.updated)}`,
    ...(run.archived > 0 ? [`Archived   ${grouped(run.archived)}`] : []),
    ...(run.restored > 0 ? [`Restored   ${grouped(run.restored)}`] : []),
    `Unchanged  ${grouped(run.unchanged)}`,
    ...(run.skipped > 0 ? [`Skipped    ${grouped(run.skipped)}`] : []),
    ...(run.kept > 0 ? [`Kept       ${grouped(run.kept)} values of fields that another source owns`] : []),
    `Rejected   ${grouped(run.rejected)}`,
    ...describeMissing(run),
  ];
  if (run.fields.length > 0) {
    const rows = run.fields
      .slice(0, MAX_FIELDS)
      .map(({ field, changes }) => [printable(field), grouped(changes)]);
    lines.push('', table(['FIELD', 'CHANGES'], rows));
    const more = run.fields.length - MAX_FIELDS;
    if (more > 0) lines.push(`and ${more} more fields`);
  }
  return lines.join('\n');
}

function describeSender({ key_id, user }: RunDetails): string {
  // An older service sends no user.
  if (!user) return `Key        ${key_id}`;
  return `User       ${user.name === null ? user.id : `${printable(user.name)} (${user.id})`}`;
}

function describeMissing({ id, state, missing }: RunDetails): string[] {
  if (missing === null) return [];
  const { action, accounts, of } = missing;
  // Nothing is counted at the end of an abandoned run.
  if (accounts === null && state !== 'open') return [];
  if (accounts === null || of === null)
    return [
      `Missing    ${action === 'archive' ? 'archived' : 'counted'} when the run is finished; so far: account-sync run missing ${id}`,
    ];
  return [`Missing    ${grouped(accounts)} of ${grouped(of)} accounts of the source`];
}

function describeUndo({ undo, undone_by }: RunDetails): string[] {
  const lines = undone_by === null ? [] : [`Undone by  run ${undone_by}`];
  if (undo === null) return lines;
  const { run_id, request_id, force, changes, examined, conflicts } = undo;
  const what = request_id === null ? `run ${run_id}` : `request ${printable(request_id)} of run ${run_id}`;
  lines.push(
    `Undoes     ${what}${force ? ', with --force' : ''}`,
    `Examined   ${grouped(examined)} of ${grouped(changes)} changes, conflicts: ${grouped(conflicts)}`,
  );
  return lines;
}

function timeOf(text: string | null): string {
  return text === null ? '–' : `${text.slice(0, 19).replace('T', ' ')} UTC`;
}
