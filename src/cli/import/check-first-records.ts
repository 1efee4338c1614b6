import type { AccountRecord, AccountSync } from '@account-sync/client';
import { grouped } from '../../domain/text.js';
import { CommandFailed } from '../terminal/command-line.js';
import type { StatusLine } from '../terminal/status-line.js';
import type { ImportOptions } from './import-options.js';
import type { ImportPlan } from './import-plan.js';
import { ItemSelection, StopRequest } from './item-selection.js';
import { FIRST_RECORDS, ResultTracker } from './result-tracker.js';

interface Check {
  readonly client: AccountSync;
  readonly plan: ImportPlan;
  readonly options: ImportOptions;
  readonly line: StatusLine;
}

/**
 * Sends the first records as a dry run. A wrong file is found before anything of it is stored, and what is right costs
 * one more request. Unlike that of `--dry-run`, it is repeated while the server is away, because it is small.
 */
export async function checkFirstRecords({ client, plan, options, line }: Check): Promise<ResultTracker> {
  const { mode, limit = FIRST_RECORDS } = options;
  const selection = new ItemSelection({ limit: Math.min(limit, FIRST_RECORDS) });
  const stop = new StopRequest(line, selection);
  const { signal } = stop;
  const tracker = new ResultTracker({ original: plan.rows.original });
  try {
    const records: (AccountRecord | string)[] = [];
    for await (const items of selection.chunks(plan.rows.batches(plan.conversions))) {
      for (const item of items) {
        tracker.expect(item);
        if (item.record !== undefined) records.push(item.record);
      }
    }
    const trial = { dryRun: true, ...(mode !== undefined && { mode }), signal };
    for await (const results of client.upsertChunks([records], trial)) {
      for (const result of results) tracker.settle(result);
    }
  } catch (error) {
    throw signal.aborted ? new CommandFailed(stop.problem) : error;
  } finally {
    stop.dispose();
  }
  if (selection.isStopped) throw new CommandFailed(stop.problem);
  return tracker;
}

/** Why an import with so many rejected records does not go on; null if there are few enough. */
export function tooManyRejected(
  { first }: ResultTracker,
  { maxRejected, dryRun }: ImportOptions,
): string | null {
  if (first.refused * 100 <= first.records * maxRejected) return null;
  const of =
    first.records < FIRST_RECORDS ? `the ${grouped(first.records)}` : `the first ${grouped(first.records)}`;
  const what = `${grouped(first.refused)} of ${of} records would be rejected, more than ${maxRejected} %`;
  const result = dryRun ? 'An import would stop and store nothing' : 'Nothing was stored';
  return `${what}. ${result}. Correct what is listed above, or store the others with --max-rejected 100.`;
}
