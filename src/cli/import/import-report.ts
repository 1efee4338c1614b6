import type { MissingAccounts } from '@account-sync/client';
import { grouped } from '../../domain/text.js';
import { table } from '../terminal/command-line.js';
import { printable, shownJson } from '../terminal/printable.js';
import type { SampledAccount } from './change-sample.js';
import type { Column } from './column-plan.js';
import { countsText } from './counts-report.js';
import type { ImportPlan } from './import-plan.js';
import { MAX_REASONS, reasonLines } from './reasons-report.js';
import { adviceFor } from './rejection-advice.js';
import type { RejectionReason } from './rejection-reasons.js';
import type { Counts } from './result-tracker.js';
import type { ColumnConversion } from './value-collectors.js';

export interface ImportOutcome {
  readonly plan: ImportPlan;
  /** Nothing was stored. */
  readonly dryRun: boolean;
  readonly records: number;
  readonly line: number;
  readonly counts: Counts;
  readonly seconds: number;
  /** The number of records that this run processed, without those of an earlier run. */
  readonly recordsNow: number;
  readonly reasons: readonly RejectionReason[];
  readonly rejects: string | null;
  readonly changes: readonly SampledAccount[];
  /** Why the import ended early; null if it finished. */
  readonly problem: string | null;
  /** Whether all records were sent: then the problem is at the end of the run. */
  readonly isSent: boolean;
  /** Whether `--resume` continues from here. */
  readonly isResumable: boolean;
  /** The run to which the records belong; null for a dry run. */
  readonly run: string | null;
  /** Accounts of the source that the file does not have; null if they are not counted. */
  readonly missing: MissingAccounts | null;
  /** How many of them were archived. */
  readonly archived: number;
}

export function asJson(outcome: ImportOutcome) {
  const { plan, dryRun, records, counts, seconds, reasons, rejects, changes, problem } = outcome;
  const { importFile, rows, conversions, ids } = plan;
  return {
    file: importFile.name,
    dry_run: dryRun,
    is_complete: problem === null,
    problem,
    is_resumable: outcome.isResumable,
    run: outcome.run,
    missing: outcome.missing,
    records,
    line: outcome.line,
    ...counts,
    seconds: Number(seconds.toFixed(3)),
    rejects,
    refusals: reasons.slice(0, MAX_REASONS).map((reason) => ({ ...reason, ...adviceFor(reason, plan) })),
    changes,
    columns: rows.columns.map((column) => columnAsJson(column, conversions.get(column.field ?? ''))),
    repeated_ids: { same: ids.same.count, other_spelling: ids.otherSpelling.count },
  };
}

function columnAsJson({ name, field, type }: Column, how: ColumnConversion | undefined) {
  const isSent = field !== undefined && !how?.isUnsent;
  return {
    column: name,
    field: isSent ? field : null,
    type: isSent ? (how?.proposal?.type ?? type) : '',
    conversions: (how?.uses ?? []).map(({ reading, count, samples }) => ({
      form: reading.name,
      values: count,
      samples,
    })),
  };
}

export function asText(outcome: ImportOutcome): string {
  const { run } = outcome;
  const runLines = run === null ? [] : [`Run ${run}. Show it again with: account-sync run show ${run}`];
  const lines = [
    countsText(outcome),
    ...missingLines(outcome),
    ...runLines,
    ...reasonLines(outcome.reasons, (reason) => adviceFor(reason, outcome.plan)),
    ...changeLines(outcome),
  ];
  return [...lines, ...nextLines(outcome)].join('\n');
}

function missingLines({ missing, archived, run }: ImportOutcome): string[] {
  if (missing === null || missing.accounts === null || missing.of === null) return [];
  const { action, accounts, of } = missing;
  if (accounts === 0) return ['No account of this source is missing from the file.'];
  const what = `${grouped(accounts)} of the ${grouped(of)} accounts that this source has pushed`;
  const isAre = accounts === 1 ? 'is' : 'are';
  // Accounts that others change all the time may stay.
  const result = archived >= accounts ? 'archived' : `${grouped(archived)} of them archived`;
  if (action === 'archive') return [`${what} ${isAre} not in the file, and ${result}.`];
  return [
    `${what} ${isAre} not in the file. List them with: account-sync run missing ${run}`,
    'If the file is complete, and these are gone, import it with --missing archive.',
  ];
}

function changeLines({ changes }: ImportOutcome): string[] {
  if (changes.length === 0) return [];
  const rows = changes.flatMap((account) =>
    account.changes.map(({ field, from, to }) => [
      printable(account.account_id),
      printable(field),
      `${from === undefined ? '' : `${shownJson(from)} → `}${shownJson(to)}`,
      `line ${grouped(account.line)}`,
    ]),
  );
  return ['', table(['FOR EXAMPLE', 'FIELD', 'CHANGE', ''], rows)];
}

function nextLines({ rejects, problem, isResumable, dryRun, counts }: ImportOutcome): string[] {
  const lines: string[] = [];
  if (rejects !== null) {
    lines.push('', `The rejected rows are in ${rejects}. Correct them there and import that file.`);
  } else if (counts.refused > 0 && !dryRun) {
    lines.push('', 'The rejected rows were not saved. To save them, add --rejects <file>.');
  }
  if (problem === null && isResumable) {
    lines.push('', 'The file has more records than --limit allows. To continue after them, add --resume.');
  }
  return lines;
}

/** Why the import ended early, and how to continue. */
export function problemText({ problem, line, isSent, isResumable, dryRun }: ImportOutcome): string {
  if (isSent) return `${problem}`;
  if (dryRun) return `${problem}\nNothing was stored. Run it again.`;
  if (line === 0) return `${problem}\nNo record was processed.`;
  const next = isResumable
    ? 'To continue, run the same command with --resume.'
    : 'Run it again: records that are already stored count as unchanged.';
  return `${problem}\nDone up to line ${grouped(line)}. ${next}`;
}
