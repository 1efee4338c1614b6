import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDate, readDateTime } from './calendar.js';

const digits = (value: number, length: number) => String(value).padStart(length, '0');

describe('readDate', () => {
  it.each([['2021-05-31'], ['2024-02-29'], ['2000-02-29'], ['0000-02-29'], ['0099-12-31'], ['9999-12-31']])(
    'returns %s unchanged',
    (text) => {
      expect(readDate(text)).toBe(text);
    },
  );

  it.each([
    ['a day its month does not have', '2021-02-30'],
    ['a leap day in a common year', '2023-02-29'],
    ['a leap day in a century that is no leap year', '1900-02-29'],
    ['month 0', '2021-00-10'],
    ['month 13', '2021-13-10'],
    ['day 0', '2021-05-00'],
    ['another order', '31/05/2021'],
    ['a datetime', '2021-05-31T00:00:00Z'],
    ['no hyphens', '20210531'],
    ['missing zeros', '2021-5-31'],
    ['a short year', '21-05-31'],
    ['a signed year', '+2021-05-31'],
    ['white space around', ' 2021-05-31'],
    ['a line break at the end', '2021-05-31\n'],
    ['digits of another script', '２０２１-05-31'],
    ['an empty text', ''],
  ])('rejects %s', (_, text) => {
    expect(readDate(text)).toBeUndefined();
  });

  it('accepts exactly the days of the calendar and shifts none', () => {
    const parts = [fc.integer({ min: 0, max: 9999 }), fc.integer({ max: 13, min: 0 }), fc.nat(32)] as const;
    fc.assert(
      fc.property(...parts, (year, month, day) => {
        const text = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
        const moment = new Date(0);
        moment.setUTCFullYear(year, month - 1, day);
        expect(readDate(text)).toBe(moment.toISOString().startsWith(`${text}T`) ? text : undefined);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('readDateTime', () => {
  it.each([
    ['UTC', '2021-05-31T10:20:30Z', '2021-05-31T10:20:30.000Z'],
    ['its own form', '2021-05-31T10:20:30.123Z', '2021-05-31T10:20:30.123Z'],
    ['small letters', '2021-05-31t10:20:30z', '2021-05-31T10:20:30.000Z'],
    ['a space between', '2021-05-31 10:20:30', '2021-05-31T10:20:30.000Z'],
    ['no offset as UTC', '2021-05-31T10:20:30', '2021-05-31T10:20:30.000Z'],
    ['no seconds', '2021-05-31T10:20', '2021-05-31T10:20:00.000Z'],
    ['no seconds but an offset', '2021-05-31 10:20+02:00', '2021-05-31T08:20:00.000Z'],
    ['an unknown offset as UTC', '2021-05-31T10:20:30-00:00', '2021-05-31T10:20:30.000Z'],
    ['an offset of half an hour', '2021-05-31T10:20:30-03:30', '2021-05-31T13:50:30.000Z'],
    ['the largest offset', '2021-05-31T23:59:00+23:59', '2021-05-31T00:00:00.000Z'],
    ['an offset back over midnight', '2021-05-31T00:30:00+01:00', '2021-05-30T23:30:00.000Z'],
    ['an offset on into a leap day', '2024-02-28T23:30:00-01:00', '2024-02-29T00:30:00.000Z'],
    ["an offset back over the year's end", '2021-01-01T00:00:00+00:01', '2020-12-31T23:59:00.000Z'],
    ["an offset on over the year's end", '2020-12-31T23:59:59-00:01', '2021-01-01T00:00:59.000Z'],
    ['a fraction of one digit', '2021-05-31T10:20:30.5Z', '2021-05-31T10:20:30.500Z'],
    ['a longer fraction cut to milliseconds', '2021-05-31T10:20:30.9999999Z', '2021-05-31T10:20:30.999Z'],
    ['year 0000', '0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['year 0099, which is not 1999', '0099-06-15T12:00:00Z', '0099-06-15T12:00:00.000Z'],
    ['the last possible time', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s', (_, text, stored) => {
    expect(readDateTime(text)).toBe(stored);
  });

  it.each([
    ['a date', '2021-05-31'],
    ['a time', '10:20'],
    ['a day that does not exist', '2021-02-30T10:20:30Z'],
    ['hour 24', '2021-05-31T24:00:00Z'],
    ['minute 60', '2021-05-31T10:60:00Z'],
    ['second 61', '2021-05-31T10:20:61Z'],
    ['an hour without minutes', '2021-05-31T10Z'],
    ['two spaces between', '2021-05-31  10:20:30'],
    ['white space around', ' 2021-05-31T10:20:30Z'],
    ['a space before the offset', '2021-05-31T10:20:30 +02:00'],
    ['an offset without a colon', '2021-05-31T10:20:30+0200'],
    ['an offset of hours alone', '2021-05-31T10:20:30+02'],
    ['an offset of 24 hours', '2021-05-31T10:20:30+24:00'],
    ['an offset of 60 minutes', '2021-05-31T10:20:30+01:60'],
    ['a fraction without digits', '2021-05-31T10:20:30.Z'],
    ['a fraction after a comma', '2021-05-31T10:20:30,5Z'],
    ['a fraction of a minute', '2021-05-31T10:20.5Z'],
    ["a zone's name", '2021-05-31T10:20:30 Europe/Berlin'],
    ['an epoch in digits', '1622456430'],
    ['a time before year 0000', '0000-01-01T00:00:00+00:01'],
    ['a time after year 9999', '9999-12-31T23:59:59-00:01'],
    ['an empty text', ''],
  ])('rejects %s', (_, text) => {
    expect(readDateTime(text)).toBeUndefined();
  });

  it('agrees with Date for every time and offset', () => {
    const instant = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9998-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    const offset = fc.integer({ min: -1439, max: 1439 });
    fc.assert(
      fc.property(instant, offset, fc.constantFrom('T', 't', ' '), (moment, minutes, separator) => {
        const local = new Date(moment.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const size = Math.abs(minutes);
        const zone = `${minutes < 0 ? '-' : '+'}${digits(Math.floor(size / 60), 2)}:${digits(size % 60, 2)}`;
        expect(readDateTime(local.replace('T', separator) + zone)).toBe(new Date(local + zone).toISOString());
      }),
      { numRuns: 1000 },
    );
  });
});
