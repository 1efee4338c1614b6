import { grouped } from '../../domain/text.js';
import { printable, printableLines, shownJson } from '../terminal/printable.js';
import type { RejectionAdvice } from './rejection-advice.js';
import type { RejectedValue, RejectionReason } from './rejection-reasons.js';

export const MAX_REASONS = 10;

/** The most frequent reasons, each with values as the input has them, and with advice. */
export function reasonLines(
  reasons: readonly RejectionReason[],
  adviceOn: (reason: RejectionReason) => RejectionAdvice,
): string[] {
  if (reasons.length === 0) return [];
  const shown = reasons.slice(0, MAX_REASONS);
  const width = Math.max('REJECTED'.length, ...shown.map(({ count }) => grouped(count).length));
  const lines = shown.flatMap((reason) => [
    `${grouped(reason.count).padEnd(width)}  ${printable(reason.message)}`,
    ...details(reason, adviceOn(reason)).map((line) => `${' '.repeat(width)}    ${line}`),
  ]);
  const more = reasons.length - shown.length;
  const rest = more > 0 ? [`and ${grouped(more)} more ${more === 1 ? 'reason' : 'reasons'}`] : [];
  return ['', `${'REJECTED'.padEnd(width)}  REASON`, ...lines, ...rest];
}

function details(reason: RejectionReason, { accepted, add }: RejectionAdvice): string[] {
  const { samples } = reason;
  return [
    ...(samples.length === 0 ? [placeOf(reason)] : samples.map(describeSample)),
    ...(accepted === null ? [] : [printable(`Accepted: ${accepted}`)]),
    ...(add === null ? [] : [printableLines(`Add ${add}`)]),
  ];
}

function describeSample(sample: RejectedValue): string {
  return `${placeOf(sample)}: ${shownJson(sample.value)}`;
}

function placeOf({ line, account_id }: Pick<RejectedValue, 'line' | 'account_id'>): string {
  return `line ${grouped(line)}${account_id === null ? '' : `, ${printable(account_id)}`}`;
}
