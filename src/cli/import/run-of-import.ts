import {
  type AccountSync,
  AccountSyncError,
  ForbiddenError,
  RefusedError,
  type RunDetails,
} from '@account-sync/client';
import { grouped } from '../../domain/text.js';
import { CommandFailed } from '../terminal/command-line.js';
import type { ImportOptions } from './import-options.js';
import type { ImportState } from './result-tracker.js';

/** How long a run that failed may take to be abandoned. */
const ABANDON_MS = 5_000;

/** What is missing is known only after a whole file is sent. */
export function rejectUnknowable({ missing, limit, dryRun }: ImportOptions): void {
  if (missing !== 'archive' || (limit === undefined && !dryRun)) return;
  const option = dryRun ? '--dry-run' : '--limit';
  throw new CommandFailed(
    `--missing archive does not go with ${option}: what is missing is known when the whole file is sent. To see it ` +
      'without archiving anything, import the file with --missing report.',
  );
}

/** The run of an interrupted import if it is still open, or else a new one: a run ends after a day without requests. */
export async function continueRun(
  client: AccountSync,
  earlier: ImportState | undefined,
  { mode, missing, limit }: ImportOptions,
  signal: AbortSignal,
): Promise<string> {
  if (earlier?.run !== undefined) {
    const run = await client.run(earlier.run, { signal }).catch((error) => {
      if (error instanceof ForbiddenError) return 'unknown' as const;
      throw error;
    });
    // A key without the scope `read` finds out by its first request.
    if (run === 'unknown' || run?.state === 'open') return earlier.run;
  }
  const isPart = (earlier?.records ?? 0) > 0;
  if (isPart && missing === 'archive') {
    throw new CommandFailed(
      'The run of the interrupted import has ended, so it is not known what is missing. Import the file from the beginning, without --resume.',
    );
  }
  const wanted = isPart || limit !== undefined ? 'ignore' : missing;
  const run = await client.openRun({
    ...(mode !== undefined && { mode }),
    ...(wanted !== undefined && { missing: wanted }),
    signal,
  });
  return run.id;
}

/** Undefined if it cannot be finished now: the records are stored, and the run ends by itself a day later. */
export async function finishRun(
  client: AccountSync,
  id: string,
  unidentified: number,
  { missing, maxMissing }: ImportOptions,
): Promise<RunDetails | undefined> {
  if (missing === 'archive' && unidentified > 0) throw notArchived(id, unidentified);
  try {
    return await client.finishRun(id, maxMissing === undefined ? {} : { maxMissingPercent: maxMissing });
  } catch (error) {
    if (missing !== 'archive') return undefined;
    if (error instanceof RefusedError && error.code === 'too_many_missing') throw tooManyMissing(id, error);
    if (!(error instanceof AccountSyncError)) throw error;
    const next = `All records are stored, but what is missing is not archived yet. Try again: account-sync run finish ${id}`;
    throw new CommandFailed(`${error.message}\n${next}`);
  }
}

/**
 * Undefined if it cannot be ended now: it ends by itself a day later. A server that is away, which may be why the run
 * failed, is not waited for a second time.
 */
export function abandonRun(client: AccountSync, id: string): Promise<RunDetails | undefined> {
  const signal = AbortSignal.timeout(ABANDON_MS);
  return client.finishRun(id, { abandon: true, signal }).catch(() => undefined);
}

function tooManyMissing(run: string, { messages }: RefusedError): CommandFailed {
  return new CommandFailed(
    [...messages, 'The import itself is done. In a terminal:', ...waysOn(run)].join('\n'),
  );
}

/** The account of a row that cannot be read is not gone, but looks so. */
function notArchived(run: string, rows: number): CommandFailed {
  const what = rows === 1 ? '1 rejected row names' : `${grouped(rows)} rejected rows name`;
  return new CommandFailed(
    [
      `${what} no account, so it is not known what is missing. None is archived, and run ${run} is still open. Correct ` +
        'the file and import it again, or in a terminal:',
      ...waysOn(run),
    ].join('\n'),
  );
}

function waysOn(run: string): string[] {
  return [
    `  account-sync run missing ${run}                             list what is missing`,
    `  account-sync run finish ${run} --max-missing <percent>      archive it`,
    `  account-sync run finish ${run} --abandon                    archive nothing`,
  ];
}

/** Whether the run of an import is the reason why it cannot go on. */
export function isAboutRun(error: unknown): boolean {
  const codes: unknown[] = ['run_not_found', 'run_ended', 'run_of_other_source'];
  return error instanceof AccountSyncError && codes.includes(error.code);
}
