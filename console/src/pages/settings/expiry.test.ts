import { describe, expect, it } from 'vitest';
import { expiryMoment } from './expiry';

const NOW = Date.parse('2027-01-31T12:00:00.000Z');

describe('the moment at which a key shall end', () => {
  it.each([
    ['never', '', null],
    ['30 days', '', '2027-03-02T12:00:00.000Z'],
    ['90 days', '', '2027-05-01T12:00:00.000Z'],
    ['kept', '2027-02-01', undefined],
    ['day', '', undefined],
  ] as const)('for %s with the day %j is %s', (choice, day, moment) => {
    expect(expiryMoment({ choice, day }, NOW)).toBe(moment);
  });

  it('after a year has the same date', () => {
    const moment = new Date(expiryMoment({ choice: '1 year', day: '' }, NOW) ?? '');
    expect([moment.getFullYear(), moment.getMonth(), moment.getDate()]).toEqual([2028, 0, 31]);
  });

  it('on a day is the end of it, where the reader is', () => {
    const moment = new Date(expiryMoment({ choice: 'day', day: '2027-02-01' }, NOW) ?? '');
    expect(moment).toEqual(new Date(2027, 1, 1, 23, 59, 59, 999));
  });
});
