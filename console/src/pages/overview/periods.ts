import type { StatsUnit } from '../../api/stats';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface PeriodWords {
  readonly label: string;
  /** Completes “Nothing was rejected in …”. */
  readonly name: string;
  readonly before: string;
  /** The time that one bar covers. */
  readonly bar: string;
}

export const PERIODS = {
  hour: { label: 'Hour', name: 'the last hour', before: 'the hour before', bar: 'minute' },
  day: { label: 'Day', name: 'the last 24 hours', before: 'the 24 hours before', bar: 'hour' },
  week: { label: 'Week', name: 'the last 7 days', before: 'the 7 days before', bar: 'day' },
} as const satisfies Record<string, PeriodWords>;

export type Period = keyof typeof PERIODS;

export const isPeriod = (text: string | null): text is Period =>
  text !== null && Object.hasOwn(PERIODS, text);

export interface Span {
  readonly unit: StatsUnit;
  /** Start of each bar. The last bar is not complete yet. */
  readonly starts: readonly number[];
  /** Start of the previous period. */
  readonly beforeStart: number;
  /** The time in the previous period that corresponds to now, rounded to a unit. */
  readonly beforeEnd: number;
}

/** Days are days of the local time zone, so they are summed from hours. */
export function spanOf(period: Period, now: number): Span {
  const unitMs = period === 'hour' ? MINUTE_MS : HOUR_MS;
  const bars = { hour: 60, day: 24, week: 7 }[period];
  const startOf = (bar: number) =>
    period === 'week' ? midnight(now, bar - bars + 1) : now - (now % unitMs) + (bar - bars + 1) * unitMs;
  const starts = Array.from({ length: bars }, (_, bar) => startOf(bar));
  const beforeStart = startOf(-bars);
  const length = startOf(0) - beforeStart;
  return {
    unit: period === 'hour' ? 'minute' : 'hour',
    starts,
    beforeStart,
    beforeEnd: Math.round((now - length) / unitMs) * unitMs,
  };
}

/** Start of the day that is `days` after today. Not every day has 24 hours, so the calendar computes it. */
function midnight(now: number, days: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).getTime();
}
