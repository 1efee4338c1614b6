import type { Counted, Counts, Stats } from '../../api/stats';
import type { Period, Span } from './periods';

export interface Bar extends Counts {
  readonly start: number;
}

/** What happened in a period, bar by bar and in all. */
export interface Activity {
  readonly period: Period;
  /** How many there are now. */
  readonly accounts: number;
  readonly bars: readonly Bar[];
  readonly total: Counts;
  /** In the same length of time before; undefined where accounts came only later, so that nothing can be compared. */
  readonly before: Counts | undefined;
}

const COUNTED: readonly Counted[] = ['created', 'updated', 'deleted', 'refused'];
const NONE: Counts = { created: 0, updated: 0, deleted: 0, refused: 0 };

export function activityOf(period: Period, span: Span, stats: Stats, firstChangeAt: number | null): Activity {
  const { starts, beforeStart, beforeEnd } = span;
  const counts = stats.data.map((counted) => ({ ...counted, start: Date.parse(counted.start) }));
  const bars = starts.map((start, bar) => {
    const end = starts[bar + 1] ?? Number.POSITIVE_INFINITY;
    return { start, ...sum(counts.filter((counted) => start <= counted.start && counted.start < end)) };
  });
  const isWhole = firstChangeAt !== null && firstChangeAt <= beforeStart;
  return {
    period,
    accounts: stats.accounts,
    bars,
    total: sum(bars),
    before: isWhole
      ? sum(counts.filter(({ start }) => beforeStart <= start && start < beforeEnd))
      : undefined,
  };
}

function sum(all: readonly Counts[]): Counts {
  return all.reduce(
    (total, counts) =>
      Object.fromEntries(COUNTED.map((name) => [name, total[name] + counts[name]])) as unknown as Counts,
    NONE,
  );
}
