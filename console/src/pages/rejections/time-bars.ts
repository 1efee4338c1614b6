const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MAX_BARS = 32;

/** Length of a bar, and distance between labelled bars. */
const STEPS = [
  [MINUTE, 10 * MINUTE],
  [2 * MINUTE, 10 * MINUTE],
  [5 * MINUTE, 30 * MINUTE],
  [15 * MINUTE, 2 * HOUR],
  [30 * MINUTE, 3 * HOUR],
  [HOUR, 6 * HOUR],
  [3 * HOUR, DAY],
  [6 * HOUR, DAY],
  [DAY, DAY],
] as const;

export interface TimeBar {
  readonly start: number;
  readonly end: number;
  readonly count: number;
  /** Whether the axis shows its start. */
  readonly isLabelled: boolean;
}

/** Histogram of times. Bars are aligned with local midnight, so that a night is one bar. */
export function timeBars(times: readonly number[], from: number, to: number): TimeBar[] {
  const [step, between] = STEPS.find(([size]) => (to - from) / size <= MAX_BARS - 1) ?? [DAY, 7 * DAY];
  const bars: TimeBar[] = [];
  for (let start = floorTo(from, step); start < to; ) {
    const end = Math.min(start + step, nextMidnight(start));
    const count = times.filter((at) => at >= start && at < end).length;
    bars.push({ start, end, count, isLabelled: floorTo(start, between) === start });
    start = end;
  }
  return bars;
}

function midnight(at: number, daysLater = 0): number {
  const date = new Date(at);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + daysLater).getTime();
}

function nextMidnight(at: number): number {
  return midnight(at, 1);
}

function floorTo(at: number, step: number): number {
  const day = midnight(at);
  return day + Math.floor((at - day) / step) * step;
}
