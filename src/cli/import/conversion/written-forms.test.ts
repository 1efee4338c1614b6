import type { Json } from '@account-sync/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttributeType, readValue, type TypeName } from '../../../domain/attribute-types.js';
import { ColumnValues } from './column-values.js';
import { type ChosenReadings, selectReadings } from './select-readings.js';

/** Values that a program or a person has written in one form come back as they were. */

/** What the server stores for the texts of a column; fails if the column is ambiguous. */
function stored(type: TypeName, texts: readonly string[], chosen: ChosenReadings = { names: [] }): Json[] {
  const attribute: AttributeType = { type, choices: [] };
  const column = new ColumnValues(attribute, selectReadings(attribute, chosen).readings, {
    isChosen: chosen.names.length > 0,
  });
  for (const text of texts) column.add(text);
  const { conversion, ambiguities } = column.resolve();
  expect(ambiguities).toEqual([]);
  return texts.map((text) => readValue(conversion.apply(text), attribute) as Json);
}

const time = fc.date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
const times = fc.array(time, { minLength: 1, maxLength: 20 });
const two = (number: number) => String(number).padStart(2, '0');
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'];
const NAMES = [...MONTHS, 'October', 'November', 'December'];

const parts = (at: Date) => ({
  y: at.getUTCFullYear(),
  m: at.getUTCMonth() + 1,
  d: at.getUTCDate(),
  h: at.getUTCHours(),
  min: at.getUTCMinutes(),
  s: at.getUTCSeconds(),
  name: NAMES[at.getUTCMonth()] ?? '',
});

const DAYS: Readonly<Record<string, (at: Date) => string>> = {
  'month/day/year': (at) => `${parts(at).m}/${parts(at).d}/${parts(at).y}`,
  'mm-dd-yyyy': (at) => `${two(parts(at).m)}-${two(parts(at).d)}-${parts(at).y}`,
  'day/month/year': (at) => `${parts(at).d}/${parts(at).m}/${parts(at).y}`,
  'dd.mm.yyyy': (at) => `${two(parts(at).d)}.${two(parts(at).m)}.${parts(at).y}`,
  'year/month/day': (at) => `${parts(at).y}/${parts(at).m}/${parts(at).d}`,
  yyyymmdd: (at) => `${parts(at).y}${two(parts(at).m)}${two(parts(at).d)}`,
  'day month year': (at) => `${parts(at).d} ${parts(at).name} ${parts(at).y}`,
  'dd-MON-yyyy': (at) => `${two(parts(at).d)}-${parts(at).name.slice(0, 3).toUpperCase()}-${parts(at).y}`,
  'month day, year': (at) => `${parts(at).name} ${parts(at).d}, ${parts(at).y}`,
};
const TIMES: Readonly<Record<string, (at: Date) => string>> = {
  ' hh:mm:ss': (at) => ` ${two(parts(at).h)}:${two(parts(at).min)}:${two(parts(at).s)}`,
  ', h:mm:ss AM': (at) => {
    const { h, min, s } = parts(at);
    return `, ${h % 12 === 0 ? 12 : h % 12}:${two(min)}:${two(s)} ${h < 12 ? 'AM' : 'PM'}`;
  },
  Thhmmss: (at) => `T${two(parts(at).h)}:${two(parts(at).min)}:${two(parts(at).s)}.000+0000`,
};

/** A form whose order of day and month other values may not show. */
const orderOf = (form: string) =>
  form.startsWith('month/') || form.startsWith('mm') ? 'mdy' : form.startsWith('d') ? 'dmy' : undefined;

describe.each(Object.entries(DAYS))('days written as %s', (form, write) => {
  const dates = orderOf(form);

  it('are the same days', () => {
    fc.assert(
      fc.property(times, (days) => {
        const expected = days.map((at) => at.toISOString().slice(0, 10));
        expect(stored('date', days.map(write), { names: [], dates })).toEqual(expected);
      }),
    );
  });

  it('also without --dates, if one of them shows the order', () => {
    fc.assert(
      fc.property(times, (days) => {
        const all = [...days, new Date('2027-01-31')];
        const expected = all.map((at) => at.toISOString().slice(0, 10));
        expect(stored('date', all.map(write))).toEqual(expected);
      }),
    );
  });

  it.each(Object.entries(TIMES))('and with %s are the same times', (_name, writeTime) => {
    fc.assert(
      fc.property(times, (all) => {
        const expected = all.map((at) => `${at.toISOString().slice(0, 19)}.000Z`);
        const texts = all.map((at) => `${write(at)}${writeTime(at)}`);
        expect(stored('datetime', texts, { names: [], dates })).toEqual(expected);
        const days = stored('date', texts, { names: ['day'], dates });
        expect(days).toEqual(expected.map((text) => text.slice(0, 10)));
      }),
    );
  });
});

it('times with any offset are the same times', () => {
  const offset = fc.tuple(fc.constantFrom('+', '-'), fc.nat(23), fc.constantFrom(0, 30, 45));
  fc.assert(
    fc.property(time, offset, fc.constantFrom('', ' '), (at, [sign, hours, minutes], blank) => {
      const shift = (sign === '+' ? 1 : -1) * (hours * 60 + minutes) * 60_000;
      const local = new Date(at.getTime() + shift).toISOString().slice(0, 23);
      const text = `${local}${blank}${sign}${two(hours)}${two(minutes)}`;
      expect(stored('datetime', [text])).toEqual([at.toISOString()]);
    }),
  );
});

it('days that Excel has counted are the same days, but small numbers are none', () => {
  fc.assert(
    fc.property(time, (at) => {
      const serial = Math.floor(at.getTime() / 86_400_000) + 25_569;
      expect(stored('date', [String(serial)])).toEqual([at.toISOString().slice(0, 10)]);
    }),
  );
  // Excel has a 29 February 1900.
  expect(stored('date', ['60', '59', '0', '-42035', '142035'])).toEqual(Array(5).fill(undefined));
});

it('days that do not exist are none in any form', () => {
  for (const [year, month, day] of [
    [2015, 2, 30],
    [2015, 2, 29],
    [1900, 2, 29],
    [2015, 4, 31],
    [2015, 0, 1],
    [2015, 13, 32],
  ]) {
    const texts = [`${month}/${day}/${year}`, `${day}.${month}.${year}`, `${year}/${month}/${day}`];
    expect(stored('date', texts)).toEqual([undefined, undefined, undefined]);
    expect(
      stored(
        'datetime',
        texts.map((text) => `${text} 10:00`),
      ),
    ).toEqual([undefined, undefined, undefined]);
  }
});

const amount = fc.tuple(fc.integer({ min: -1e12, max: 1e12 }), fc.constantFrom(1, 10, 100));
/** With the forms that their numbers have, with and without thousands. */
const LOCALES: readonly (readonly [string, readonly string[]])[] = [
  ['en-US', ['1,000.00']],
  ['de-DE', ['1.000,00']],
  ['fr-FR', ['1 000,00', '1.000,00']],
  ['nb-NO', ['1 000,00', '1.000,00']],
  ['de-CH', ['1 000,00', '1,000.00']],
];

it.each(LOCALES)('amounts of the locale %s are the same amounts, also in a currency', (locale, names) => {
  const formats = [
    new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }),
    new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }),
  ];
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 10 }), (all) => {
      const numbers = all.map(([number, divisor]) => number / divisor);
      for (const format of formats) {
        // Some locales write a minus of their own.
        const texts = numbers.map((number) => format.format(number).replace('\u2212', '-'));
        expect(stored('decimal', texts, { names })).toEqual(numbers);
      }
    }),
  );
});
