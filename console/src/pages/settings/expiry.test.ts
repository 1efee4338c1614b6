import { describe, expect, it } from 'vitest';
import { expiryTime } from './expiry';

const NOW = Date.parse('2027-01-31T12:00:00.000Z');

describe('expiryTime', () => {
  it.each([
    ['never', '', null],
    ['30 days', '', '2027-03-02T12:00:00.000Z'],
    ['90 days', '', '2027-05-01T12:00:00.000Z'],
    ['kept', '2027-02-01', undefined],
    ['day', '', undefined],
  ] as const)('for %s with the day %j is %s', (choice, day, time) => {
    expect(expiryTime({ choice, day }, NOW)).toBe(time);
  });

  it('keeps the date after one year', () => {
    const time = new Date(expiryTime({ choice: '1 year', day: '' }, NOW) ?? '');
    expect([time.getFullYear(), time.getMonth(), time.getDate()]).toEqual([2028, 0, 31]);
  });

  it('is the end of the chosen day in local time', () => {
    const time = new Date(expiryTime({ choice: 'day', day: '2027-02-01' }, NOW) ?? '');
    expect(time).toEqual(new Date(2027, 1, 1, 23, 59, 59, 999));
  });
});
