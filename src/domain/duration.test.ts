import { describe, expect, it } from 'vitest';
import { readDuration, writeDuration } from './duration.js';

describe('a duration', () => {
  it.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['30', 30_000],
    [' 2 h ', 7_200_000],
  ])('%s is %i ms', (text, ms) => {
    expect(readDuration(text)).toBe(ms);
  });

  it.each(['', 'h', '1w', '-1h', '1.5h', '1h30m', '1234567890s'])('is not %j', (text) => {
    expect(readDuration(text)).toBeUndefined();
  });

  it.each([
    [0, '0s'],
    [1_000, '1s'],
    [90_000, '90s'],
    [5_400_000, '90m'],
    [86_400_000, '1d'],
    [90_000_000, '25h'],
  ])('of %i ms is written as %s', (ms, text) => {
    expect(writeDuration(ms)).toBe(text);
    expect(readDuration(text)).toBe(ms);
  });
});
