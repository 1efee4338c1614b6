import type { Period } from './periods';

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const SHORT_DAY = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric' });
const SHORTEST_DAY = new Intl.DateTimeFormat(undefined, { weekday: 'short' });

/** Possible distances between axis labels: in minutes for an hour, in hours for a day, in days for a week. */
const STEPS = { hour: [5, 10, 15, 30], day: [2, 3, 4, 6, 12], week: [1] } as const;
const TICK_WIDTH = 62;

/** Name of the time that a bar covers, in the local time zone. */
export function barName(period: Period, start: number): string {
  return { hour: TIME, day: DAY_AND_TIME, week: DAY }[period].format(start);
}

/** Short name for the axis, depending on its width in pixels. */
export function tickName(period: Period, start: number, width: number): string {
  if (period !== 'week') return TIME.format(start);
  return (width < 7 * TICK_WIDTH ? SHORTEST_DAY : SHORT_DAY).format(start);
}

/** Bars that get an axis label: at round times, as many as fit. */
export function tickStarts(period: Period, starts: readonly number[], width: number): number[] {
  const unitOf = (start: number) =>
    period === 'hour' ? new Date(start).getMinutes() : new Date(start).getHours();
  const chosen = STEPS[period].map((step) => starts.filter((start) => unitOf(start) % step === 0));
  return chosen.find(({ length }) => length * TICK_WIDTH <= width) ?? chosen.at(-1) ?? [];
}
