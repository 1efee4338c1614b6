import { grouped } from '../../domain/text.js';
import { countsText } from '../import/counts-report.js';
import { MAX_REASONS, reasonLines } from '../import/reasons-report.js';
import { NO_ADVICE } from '../import/rejection-advice.js';
import type { RejectionReason } from '../import/rejection-reasons.js';
import type { Counts } from '../import/result-tracker.js';
import { table } from '../terminal/command-line.js';
import { printable } from '../terminal/printable.js';
import type { StreamPlan } from './stream-plan.js';

export interface SingerOutcome {
  readonly records: number;
  readonly counts: Counts;
  readonly seconds: number;
  readonly reasons: readonly RejectionReason[];
  /** The file of rejected records; null if none was rejected. */
  readonly rejects: string | null;
  /** Records that the tap has marked as deleted at the source. */
  readonly deleted: number;
  readonly deletedIds: readonly string[];
  /** Mapped streams that did not come. */
  readonly absentStreams: readonly string[];
  /** Whether a state was written. */
  readonly hasState: boolean;
  readonly run: string | null;
  /** Why it ended early; null if the whole input was read. */
  readonly problem: string | null;
}

export function asJson(outcome: SingerOutcome): string {
  const { records, counts, seconds, reasons, rejects, deleted, absentStreams, run, problem } = outcome;
  return JSON.stringify({
    is_complete: problem === null,
    problem,
    run,
    records,
    ...counts,
    deleted,
    absent_streams: absentStreams,
    seconds: Number(seconds.toFixed(3)),
    rejects,
    refusals: reasons.slice(0, MAX_REASONS),
  });
}

export function asText(outcome: SingerOutcome): string {
  const { run, problem, rejects } = outcome;
  const runLines = run === null ? [] : [`Run ${run}. Show it again with: account-sync run show ${run}`];
  const rejectsLines =
    rejects === null
      ? []
      : ['', `The rejected records are in ${rejects}. Correct them there and import that file.`];
  return [
    countsText({ ...outcome, recordsNow: outcome.records, dryRun: false }),
    ...deletedLines(outcome),
    ...absentLines(outcome),
    ...runLines,
    ...reasonLines(outcome.reasons, () => NO_ADVICE),
    ...rejectsLines,
    ...(problem === null ? [] : ['', problem, stateLine(outcome)]),
  ].join('\n');
}

/** Shows which property is sent as which field. */
export function planText({ schema, properties }: StreamPlan): string {
  const rows = properties.map(({ name, field, type, reason, problem }) => [
    printable(name),
    field === undefined ? (problem === undefined ? '– not sent' : '?') : printable(field),
    printable(type),
    reason,
  ]);
  return `Stream ${printable(schema.stream)}:\n\n${table(['PROPERTY', 'FIELD', 'TYPE', ''], rows)}\n`;
}

export function progressText(records: number, rejected: number, seconds: number): string {
  const speed = Math.round(records / Math.max(seconds, 0.001));
  return `${grouped(records)} records, ${grouped(speed)} a second, ${grouped(rejected)} rejected`;
}

function deletedLines({ deleted, deletedIds }: SingerOutcome): string[] {
  if (deleted === 0) return [];
  const examples = `${deletedIds.map(printable).join(', ')}${deleted > deletedIds.length ? ', …' : ''}`;
  const [what, were] = deleted === 1 ? ['1 record is', 'was'] : [`${grouped(deleted)} records are`, 'were'];
  return [`${what} marked as deleted at the source, and ${were} not sent: ${examples}`];
}

function absentLines({ absentStreams }: SingerOutcome): string[] {
  return absentStreams.map(
    (stream) =>
      `The stream ${printable(stream)} did not come. Check its name, and whether the tap selects it.`,
  );
}

function stateLine({ hasState }: SingerOutcome): string {
  return hasState
    ? 'The last state that was written covers only what is stored or in the file of rejected records. Run the pipeline again from it.'
    : 'No state was written. Run the pipeline again: records that are already stored count as unchanged.';
}
