import { grouped } from '../../domain/text.js';
import { duration } from '../terminal/printable.js';
import type { Counts } from './result-tracker.js';

interface Counted {
  readonly records: number;
  /** The records that were processed in `seconds`, without those of an earlier run. */
  readonly recordsNow: number;
  readonly seconds: number;
  readonly counts: Counts;
  readonly dryRun: boolean;
}

/** What became of the records, in one line. */
export function countsText({ records, recordsNow, seconds, counts, dryRun }: Counted): string {
  const { created, updated, unchanged, skipped, refused, kept } = counts;
  const others = skipped === 0 ? '' : `${grouped(skipped)} skipped, `;
  const keptText =
    kept === 0 ? '' : ` Values of fields that another source owns, left as they are: ${grouped(kept)}.`;
  const would = dryRun ? 'would be ' : '';
  // In less than a second, the start-up time would distort the speed.
  const pace =
    seconds < 1 ? '' : ` in ${duration(seconds)} (${grouped(Math.round(recordsNow / seconds))} a second)`;
  const what = records === 1 ? '1 record' : `${grouped(records)} records`;
  return (
    `${what}${pace}${dryRun ? ', nothing stored' : ''}: ${grouped(created)} ${would}created, ` +
    `${grouped(updated)} updated, ${grouped(unchanged)} unchanged, ${others}${grouped(refused)} rejected.${keptText}`
  );
}
