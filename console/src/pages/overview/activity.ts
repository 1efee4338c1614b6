import type { CountName, Counts, Stats } from '../../api/stats';
import type { Period, Span } from './periods';

export interface Bar extends Counts {
  readonly start: number;
}

/** Counts of a period, per bar and in total. */
export interface Activity {
  readonly period: Period;
  /** Current number of accounts, without archived ones. */
  readonly accounts: number;
  /** Current number of archived accounts. */
  readonly archived: number;
  readonly bars: readonly Bar[];
  readonly total: Counts;
  /** Counts of the previous period; undefined if the first account came after its start. */
  readonly before: Counts | undefined;
}

const NONE: Counts = { created: 0, updated: 0, archived: 0, restored: 0, deleted: 0, refused: 0 };
const COUNT_NAMES = Object.keys(NONE) as CountName[];

export function activityOf(period: Period, span: Span, stats: Stats, firstChangeAt: number | null): Activity {
  const { starts, beforeStart, beforeEnd } = span;
  const counts = stats.data.map((counted) => ({ ...counted, start: Date.parse(counted.start) }));
  const bars = starts.map((start, bar) => {
    const end = starts[bar + 1] ?? Number.POSITIVE_INFINITY;
    return { start, ...sum(counts.filter((counted) => start <= counted.start && counted.start < end)) };
  });
  const hasPrevious = firstChangeAt !== null && firstChangeAt <= beforeStart;
  return {
    period,
    accounts: stats.accounts,
    archived: stats.archived,
    bars,
    total: sum(bars),
    before: hasPrevious
      ? sum(counts.filter(({ start }) => beforeStart <= start && start < beforeEnd))
      : undefined,
  };
}

/** Number of accounts at the start of the period. */
export function accountsBefore({ accounts, total }: Pick<Activity, 'accounts' | 'total'>): number {
  const { created, restored, archived, deleted } = total;
  return accounts - created - restored + archived + deleted;
}

function sum(all: readonly Counts[]): Counts {
  return all.reduce(
    (total, counts) =>
      Object.fromEntries(COUNT_NAMES.map((name) => [name, total[name] + counts[name]])) as unknown as Counts,
    NONE,
  );
}
