import { describe, expect, it } from 'vitest';
import { formatElapsed, formatInterval, intervalOf } from './duration';

describe('formatElapsed', () => {
  it.each([
    [0, '< 1 s'],
    [999, '< 1 s'],
    [12_345, '12 s'],
    [60_000, '1 min'],
    [200_000, '3 min 20 s'],
    [3_600_000 + 59_000, '1 h'],
    [7_500_000, '2 h 5 min'],
    [90_000_000, '1 d 1 h'],
  ])('formats %d ms', (ms, text) => {
    expect(formatElapsed(ms)).toBe(text);
  });
});

describe('intervalOf', () => {
  it.each([
    [86_400, 1, 'days', '1 day'],
    [2 * 86_400, 2, 'days', '2 days'],
    [36 * 3_600, 36, 'hours', '36 hours'],
    [5_400, 90, 'minutes', '90 minutes'],
    [90, 1.5, 'minutes', '1.5 minutes'],
    [0, 0, 'minutes', '0 minutes'],
  ])('chooses the unit of %d seconds', (seconds, amount, unit, text) => {
    expect(intervalOf(seconds)).toEqual({ amount, unit });
    expect(formatInterval(seconds)).toBe(text);
  });
});
