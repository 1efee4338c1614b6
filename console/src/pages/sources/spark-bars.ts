import type { Run } from '@account-sync/client';
import { formatNumber, plural } from '../../components/format';
import { changesIn } from '../../components/run-counts';

export interface SparkBar {
  readonly id: string;
  readonly state: Run['state'];
  /** Shares of the largest run, from 0 to 1. */
  readonly changed: number;
  readonly rejected: number;
}

/** A bar per run: changed records, with the rejected ones on top. Oldest first. */
export function sparkBars(newestFirst: readonly Run[]): SparkBar[] {
  const largest = Math.max(1, ...newestFirst.map((run) => changesIn(run) + run.rejected));
  return newestFirst.toReversed().map((run) => ({
    id: run.id,
    state: run.state,
    changed: changesIn(run) / largest,
    rejected: run.rejected / largest,
  }));
}

/** The bars in words. */
export function describeRuns(newestFirst: readonly Run[]): string {
  const [newest] = newestFirst;
  if (newest === undefined) return 'No run so far.';
  const withRejections = newestFirst.filter(({ rejected }) => rejected > 0).length;
  const abandoned = newestFirst.filter(({ state }) => state === 'abandoned').length;
  return [
    `${plural(newestFirst.length, 'recent run')}.`,
    `The newest changed ${plural(changesIn(newest), 'record')} and rejected ${formatNumber(newest.rejected)}.`,
    withRejections > 0 && `${plural(withRejections, 'run')} with rejections.`,
    abandoned > 0 && `${formatNumber(abandoned)} abandoned.`,
  ]
    .filter((part) => part !== false)
    .join(' ');
}
