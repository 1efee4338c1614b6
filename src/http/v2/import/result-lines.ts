import type { AttributeErrors } from '../../../domain/validate-account.js';
import type { RecordResult } from '../../../store/store.js';

export interface Tally {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
}

export interface Ending {
  readonly dryRun: boolean;
  readonly isComplete: boolean;
  readonly problem: string | null;
}

export function storedLine(index: number, accountId: string, { outcome, changed }: RecordResult): string {
  return line({ index, account_id: accountId, status: outcome, changed });
}

/** Why: messages by attribute, or one about the whole record. */
export function failedLine(index: number, accountId: string | null, why: AttributeErrors | string): string {
  const reason = typeof why === 'string' ? { problem: why } : { errors: Object.fromEntries(why) };
  return line({ index, account_id: accountId, status: 'failed', ...reason });
}

export function summaryLine(tally: Tally, { dryRun, isComplete, problem }: Ending): string {
  const { created, updated, unchanged, failed } = tally;
  const records = created + updated + unchanged + failed;
  const counts = { records, created, updated, unchanged, failed };
  return line({ summary: { ...counts, dry_run: dryRun, is_complete: isComplete, problem } });
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
