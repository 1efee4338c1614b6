import type { AttributeErrors } from '../domain/validate-account.js';

/** The lines of the response to an import: a result for each record, then a summary. */

/** What became of a record; `skipped`: the mode of the run or import left it out. */
export type ImportStatus = 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed';

export interface ImportCounts extends Record<ImportStatus, number> {
  /** Values that were left as they are, because another source owns the field. */
  kept: number;
}

export interface Ending {
  readonly dryRun: boolean;
  readonly isComplete: boolean;
  readonly problem: string | null;
}

/** The problem of a record that the database did not take, and of a request for which that is all the caller learns. */
export const FAILED = 'Something failed on our side; the log tells what, under the request id.';

export function storedLine(
  index: number,
  accountId: string,
  status: ImportStatus,
  { changed, kept }: { readonly changed: readonly string[]; readonly kept?: readonly string[] | undefined },
): string {
  return line({ index, account_id: accountId, status, changed, ...(kept && { kept }) });
}

/** `why` holds messages by attribute, or one message about the whole record. */
export function failedLine(index: number, accountId: string | null, why: AttributeErrors | string): string {
  const reason = typeof why === 'string' ? { problem: why } : { errors: Object.fromEntries(why) };
  return line({ index, account_id: accountId, status: 'failed', ...reason });
}

export function summaryLine(counts: ImportCounts, { dryRun, isComplete, problem }: Ending): string {
  const { created, updated, unchanged, skipped, failed, kept } = counts;
  const records = created + updated + unchanged + skipped + failed;
  return line({
    summary: {
      records,
      created,
      updated,
      unchanged,
      skipped,
      failed,
      kept,
      dry_run: dryRun,
      is_complete: isComplete,
      problem,
    },
  });
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
