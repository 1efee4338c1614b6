import { grouped } from '../../domain/text.js';
import { table } from '../terminal/command-line.js';
import { duration, printable } from '../terminal/printable.js';
import type { SampledAccount } from './change-sample.js';
import type { Column } from './column-plan.js';
import type { EmptyCells } from './items.js';
import type { Source } from './open-import-file.js';
import type { Counts, RejectionReason } from './result-tracker.js';

const MOST_REFUSALS = 10;
const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
};

export interface Outcome {
  readonly file: string;
  readonly dryRun: boolean;
  readonly records: number;
  readonly line: number;
  readonly counts: Counts;
  readonly seconds: number;
  /** How many records this run dealt with, without those of an earlier one. */
  readonly recordsNow: number;
  readonly refusals: readonly RejectionReason[];
  readonly rejects: string | null;
  readonly changes: readonly SampledAccount[];
  readonly columns: readonly Column[];
  /** Why it ended before its end. */
  readonly problem: string | null;
  /** Whether `--resume` goes on from here. */
  readonly isResumable: boolean;
}

export function asJson(outcome: Outcome) {
  const { file, dryRun, records, counts, seconds, refusals, rejects, changes, columns, problem } = outcome;
  return {
    file,
    dry_run: dryRun,
    is_complete: problem === null,
    problem,
    is_resumable: outcome.isResumable,
    records,
    line: outcome.line,
    ...counts,
    seconds: Number(seconds.toFixed(3)),
    rejects,
    refusals: refusals.slice(0, MOST_REFUSALS),
    changes,
    columns: columns.map(({ name, field = null, type }) => ({ column: name, field, type })),
  };
}

export function asText(outcome: Outcome): string {
  return [summary(outcome), ...refusalLines(outcome), ...changeLines(outcome), ...nextLines(outcome)].join(
    '\n',
  );
}

/** What will be sent as what, before anything is. */
export function planText(source: Source, columns: readonly Column[], emptyCells: EmptyCells): string {
  const head = [source.format === 'csv' ? 'COLUMN' : 'FIELD IN FILE', 'FIELD', 'TYPE', ''];
  const rows = columns.map(({ name, field, type, reason, problem }) => [
    printable(name) || '(no name)',
    field === undefined ? (problem === undefined ? '– not sent' : '?') : printable(field),
    printable(type),
    reason,
  ]);
  return [`${source.name}: ${describeForm(source, emptyCells)}`, '', table(head, rows), ''].join('\n');
}

function describeForm({ format, delimiter }: Source, emptyCells: EmptyCells): string {
  if (format !== 'csv') return format === 'json' ? 'a JSON array.' : 'JSON, a record a line.';
  const name = DELIMITERS[delimiter] ?? delimiter;
  const empty =
    emptyCells === 'clear'
      ? 'clears what is stored (--empty keep leaves it)'
      : 'leaves what is stored (--empty clear removes it)';
  return `CSV, parted by ${name}. An empty cell ${empty}.`;
}

function summary({ dryRun, records, recordsNow, counts, seconds }: Outcome): string {
  const { created, updated, unchanged, refused } = counts;
  const would = dryRun ? 'would be ' : '';
  // Below a second it would tell of the start, not of the pace.
  const pace =
    seconds < 1 ? '' : ` in ${duration(seconds)} (${grouped(Math.round(recordsNow / seconds))} a second)`;
  return (
    `${counted(records)}${pace}${dryRun ? ', nothing stored' : ''}: ` +
    `${grouped(created)} ${would}created, ${grouped(updated)} updated, ${grouped(unchanged)} unchanged, ${grouped(refused)} refused.`
  );
}

function refusalLines({ refusals }: Outcome): string[] {
  if (refusals.length === 0) return [];
  const rows = refusals
    .slice(0, MOST_REFUSALS)
    .map(({ count, message, line, account_id }) => [
      grouped(count),
      printable(message),
      `line ${grouped(line)}${account_id === null ? '' : `, ${printable(account_id)}`}`,
    ]);
  return ['', table(['REFUSED', 'BECAUSE', 'FOR EXAMPLE'], rows)];
}

function changeLines({ changes }: Outcome): string[] {
  if (changes.length === 0) return [];
  const rows = changes.flatMap((account) =>
    account.changes.map(({ field, from, to }) => [
      printable(account.account_id),
      printable(field),
      `${from === undefined ? '' : `${value(from)} → `}${value(to)}`,
      `line ${grouped(account.line)}`,
    ]),
  );
  return ['', table(['FOR EXAMPLE', 'FIELD', 'CHANGE', ''], rows)];
}

function nextLines({ rejects, problem, isResumable, dryRun, counts }: Outcome): string[] {
  const lines: string[] = [];
  if (rejects !== null) {
    lines.push('', `The refused rows are in ${rejects}: correct them there, and import that file.`);
  } else if (counts.refused > 0 && !dryRun) {
    lines.push('', 'The refused rows were not kept: give --rejects <file> to have them.');
  }
  if (problem === null && isResumable) {
    lines.push('', 'There is more in the file than --limit lets through. Go on behind it with --resume.');
  }
  return lines;
}

/** Why it ended early, and how to go on. */
export function problemText({ problem, line, isResumable, dryRun }: Outcome): string {
  if (dryRun) return `${problem}\nNothing was stored. Run it again.`;
  if (line === 0) return `${problem}\nNothing is done yet.`;
  const next = isResumable
    ? 'Go on with the same command and --resume.'
    : 'Run it again: what is stored already counts as unchanged.';
  return `${problem}\nDone up to line ${grouped(line)}. ${next}`;
}

function counted(records: number): string {
  return records === 1 ? '1 record' : `${grouped(records)} records`;
}

function value(json: unknown): string {
  const text = json === null ? '–' : JSON.stringify(json);
  return printable(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}
