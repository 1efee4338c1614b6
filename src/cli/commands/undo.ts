import type { AccountSync, UndoConflict, UndoProgress, UndoSummary } from '@account-sync/client';
import { Command } from 'commander';
import { grouped } from '../../domain/text.js';
import {
  connect,
  Outages,
  readServer,
  type ServerOptions,
  withServer,
  withServerErrors,
} from '../client/connect.js';
import { CommandFailed, type OutputOptions, print, withJson } from '../terminal/command-line.js';
import { printable } from '../terminal/printable.js';
import { stopSignal } from '../terminal/signals.js';
import { StatusLine } from '../terminal/status-line.js';
import { describeValue, shortened } from './changes.js';

interface UndoOptions extends ServerOptions, OutputOptions {
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly request?: string;
}

/** Conflicts that are printed; with --json all of them are. */
const MAX_CONFLICTS = 20;

export function undoCommand(): Command {
  return withServer(withJson(new Command('undo').description('take back what a run has changed')))
    .argument('[run]', 'the run; with --request it may be left out')
    .option('--dry-run', 'print what would be taken back, and store nothing')
    .option('--force', 'take back also what was changed since, and overwrite it')
    .option('--request <id>', 'undo only this request')
    .action(withServerErrors(undo));
}

async function undo(run: string | undefined, options: UndoOptions): Promise<void> {
  const { dryRun = false, force = false, request } = options;
  const line = new StatusLine({ isQuiet: options.json === true });
  const stop = new AbortController();
  const { signal } = stop;
  stopSignal().then((name) => stop.abort(new CommandFailed(`Stopped by ${name}. ${howToContinue(dryRun)}`)));
  const conflicts: UndoConflict[] = [];
  const kept = options.json ? Number.POSITIVE_INFINITY : MAX_CONFLICTS;
  try {
    const outages = new Outages((message) => line.log(message));
    const client = await connect(await readServer(options), { outages });
    const id = run ?? (await runOf(client, request, signal));
    const summary = await client.undoRun(id, {
      dryRun,
      force,
      ...(request !== undefined && { requestId: request }),
      signal,
      onProgress: (progress) => line.show(() => describeProgress(progress)),
      onConflict: (conflict) => {
        if (conflicts.length < kept) conflicts.push(conflict);
      },
    });
    line.clear();
    print(options, { ...summary, conflict_list: conflicts }, describe(summary, conflicts, force));
  } finally {
    line.clear();
    // Ends the request if it failed.
    stop.abort();
  }
}

function howToContinue(dryRun: boolean): string {
  return dryRun ? 'Nothing was stored.' : 'Run the same command again to continue the undo.';
}

/** The only run with changes of a request. It is looked up in the whole change feed. */
async function runOf(client: AccountSync, request: string | undefined, signal: AbortSignal): Promise<string> {
  if (request === undefined)
    throw new CommandFailed('Give the id of a run. List runs with: account-sync run list');
  const runs = new Set<string>();
  for await (const { run_id } of client.changes({ requestId: request, signal })) {
    if (run_id !== null) runs.add(run_id);
  }
  const [only, ...others] = runs;
  if (only === undefined) throw new CommandFailed(`No run has changes of the request ${request}.`);
  if (others.length === 0) return only;
  throw new CommandFailed(
    `Several runs have changes of the request ${request}: ${[...runs].join(', ')}. Name the run, too.`,
  );
}

function describeProgress({ changes, examined, conflicts }: UndoProgress): string {
  const share = changes === 0 ? 100 : Math.floor((100 * examined) / changes);
  const open = conflicts === 0 ? '' : `, ${grouped(conflicts)} conflicts`;
  return `${grouped(examined)} of ${grouped(changes)} changes (${share} %)${open}`;
}

function describe(summary: UndoSummary, conflicts: readonly UndoConflict[], isForced: boolean): string {
  const { run_id, undoes, updated, archived, restored, dry_run } = summary;
  const lines = [
    dry_run
      ? `Dry run, nothing was stored. An undo of run ${undoes} would have these results:`
      : `Run ${undoes} is undone, by run ${run_id}.`,
    `Updated    ${grouped(updated)}`,
    `Archived   ${grouped(archived)}`,
    `Restored   ${grouped(restored)}`,
    `Conflicts  ${grouped(summary.conflicts)}`,
  ];
  if (conflicts.length > 0) lines.push('', 'Left as they are:', ...conflicts.map(describeConflict));
  const more = summary.conflicts - conflicts.length;
  if (more > 0) lines.push(`and ${grouped(more)} more; --json prints all`);
  if (conflicts.some(({ reason }) => reason === 'changed') && !isForced)
    lines.push('', 'Take them back, too, with --force.');
  if (!dry_run) lines.push('', `Take back the undo with: account-sync undo ${run_id}`);
  return lines.join('\n');
}

export function describeConflict({ account_id, field, reason, before, left, now }: UndoConflict): string {
  const account = shortened(account_id);
  if (reason === 'deleted') return printable(`  ${account}: deleted since`);
  if (field === null) return printable(`  ${account}: created or restored by the run, and changed since`);
  const values = `${describeValue(before)} before, ${describeValue(left)} by the run, ${describeValue(now)} now`;
  return printable(`  ${account}, ${shortened(field)}: ${values}`);
}
