import { plural } from './format';

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** An elapsed time in its two largest units, such as “3 min 20 s”. */
export function formatElapsed(ms: number): string {
  if (ms < 1_000) return '< 1 s';
  let left = Math.floor(ms / 1_000);
  const first = UNITS.findIndex(([, length]) => left >= length);
  const parts: string[] = [];
  for (const [unit, length] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(' ');
}

/** Units to enter an interval in, and their lengths in seconds. */
export const INTERVAL_UNITS = { days: 86_400, hours: 3_600, minutes: 60 } as const;

export type IntervalUnit = keyof typeof INTERVAL_UNITS;

export interface Interval {
  readonly amount: number;
  readonly unit: IntervalUnit;
}

/** In the largest unit in which it is a whole number, or in fractions of minutes. */
export function intervalOf(seconds: number): Interval {
  const units = Object.entries(INTERVAL_UNITS) as [IntervalUnit, number][];
  const [unit, length] = units.find(([, size]) => seconds > 0 && seconds % size === 0) ?? ['minutes', 60];
  return { amount: seconds / length, unit };
}

/** Such as “1 day” or “90 minutes”. */
export function formatInterval(seconds: number): string {
  const { amount, unit } = intervalOf(seconds);
  return plural(amount, unit.slice(0, -1));
}
