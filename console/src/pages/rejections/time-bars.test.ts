import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { timeBars } from './time-bars';

const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const at = (text: string) => Date.parse(text);
const iso = (time: number) => new Date(time).toISOString();

describe('timeBars', () => {
  it('aligns bars with local midnight, so that a night is one bar', () => {
    const bars = timeBars(
      [at('2027-01-31T02:00:00Z'), at('2027-01-31T02:09:00Z'), at('2027-01-31T08:00:00Z')],
      at('2027-01-25T12:00:00Z'),
      at('2027-01-31T12:00:00Z'),
    );
    expect(
      bars.slice(-3).map(({ start, end, count, isLabelled }) => [iso(start), iso(end), count, isLabelled]),
    ).toEqual([
      ['2027-01-30T23:00:00.000Z', '2027-01-31T05:00:00.000Z', 2, true],
      ['2027-01-31T05:00:00.000Z', '2027-01-31T11:00:00.000Z', 1, false],
      ['2027-01-31T11:00:00.000Z', '2027-01-31T17:00:00.000Z', 0, false],
    ]);
  });

  it('stays aligned with midnight when daylight saving time changes', () => {
    const bars = timeBars([], at('2027-03-27T00:00:00Z'), at('2027-03-30T00:00:00Z'));
    const midnights = bars.map(({ start }) => iso(start)).filter((start) => /T2[23]:00/.test(start));
    expect(midnights).toEqual([
      '2027-03-26T23:00:00.000Z',
      '2027-03-27T23:00:00.000Z',
      '2027-03-28T22:00:00.000Z',
      '2027-03-29T22:00:00.000Z',
    ]);
  });

  it.each([1 / 60, 1, 24, 7 * 24, 30 * 24])('returns at most 32 bars for %d hours', (hours) => {
    const end = at('2027-01-31T12:00:00Z');
    const bars = timeBars([], end - hours * 3_600_000, end);
    expect(bars.length).toBeGreaterThan(0);
    expect(bars.length).toBeLessThanOrEqual(32);
  });
});
