import type { Json } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import type { AttributeType, TypeName } from '../../../domain/attribute-types.js';
import { ColumnValues } from './column-values.js';
import { readingsOfType } from './readings-of-type.js';

const attributeOf = (type: TypeName): AttributeType => ({
  type,
  choices: type === 'choice' ? ['Gold', 'Silver', 'silver ', 'On Hold'] : [],
});

function columnOf(type: TypeName, texts: readonly string[]) {
  const attribute = attributeOf(type);
  const readings = readingsOfType(attribute).filter(({ isExplicit }) => isExplicit !== true);
  const column = new ColumnValues(attribute, readings);
  for (const text of texts) column.add(text);
  const { conversion, uses, ambiguities } = column.resolve();
  return {
    sent: texts.map((text) => conversion.apply(text)),
    uses: uses.map(({ reading, count }) => [reading.name, count]),
    samples: uses.flatMap(({ samples }) => samples.map(({ from, to }) => [from, to])),
    ambiguities,
    currencies: [...column.currencies],
    unreadable: column.unreadable,
  };
}

describe.each<[type: TypeName, text: string, value: Json, reading: string]>([
  ['boolean', 'Yes', true, 'yes-no'],
  ['boolean', ' N ', false, 'yes-no'],
  ['boolean', ' true', true, 'yes-no'],
  ['integer', '1,000', 1000, '1,000.00'],
  ['integer', '12,345,678', 12_345_678, '1,000.00'],
  ['integer', '$1,000.00', 1000, '1,000.00'],
  ['integer', '12,0', 12, '1.000,00'],
  ['integer', '12 345', 12_345, '1 000,00'],
  ['integer', "1'000", 1000, '1 000,00'],
  ['decimal', '(1,234.50)', -1234.5, '1,000.00'],
  ['decimal', '-$12.50', -12.5, '1,000.00'],
  ['decimal', 'EUR 1.234,50', 1234.5, '1.000,00'],
  ['decimal', '1.234.567', 1_234_567, '1.000,00'],
  ['decimal', '0,125', 0.125, '1.000,00'],
  ['decimal', '12,5 €', 12.5, '1.000,00'],
  ['decimal', '1\u00a0234,5', 1234.5, '1 000,00'],
  ['date', ' 2015-01-31', '2015-01-31', 'trim'],
  ['date', '1/31/2015', '2015-01-31', 'mdy'],
  ['date', '31/1/2015', '2015-01-31', 'dmy'],
  ['date', '31.01.2015', '2015-01-31', 'dmy'],
  ['date', '3.4.2015', '2015-04-03', 'dmy'],
  ['date', '2015/1/31', '2015-01-31', 'ymd'],
  ['date', '20150131', '2015-01-31', 'ymd'],
  ['date', '31-Jan-2015', '2015-01-31', 'day-month'],
  ['date', '1 September 2015', '2015-09-01', 'day-month'],
  ['date', 'Jan 31, 2015', '2015-01-31', 'month-day'],
  ['date', '2026-01-01T00:00:00.000+0000', '2026-01-01', 'ymd'],
  ['date', '1/31/2015 12:00 AM', '2015-01-31', 'mdy'],
  ['date', '42035', '2015-01-31', 'excel'],
  ['datetime', '2026-01-01T10:20:30.000+0000', '2026-01-01T10:20:30.000Z', 'offset'],
  ['datetime', '2026-01-01 10:20 UTC', '2026-01-01T10:20:00.000Z', 'offset'],
  ['datetime', '2026-01-01T10:20:30-05', '2026-01-01T15:20:30.000Z', 'offset'],
  ['datetime', '2026-01-01', '2026-01-01T00:00:00.000Z', 'ymd'],
  ['datetime', '1/31/2015 3:45 PM', '2015-01-31T15:45:00.000Z', 'mdy'],
  ['datetime', '1/31/2015, 12:05:01 a.m.', '2015-01-31T00:05:01.000Z', 'mdy'],
  ['datetime', '31.01.2015 15:45', '2015-01-31T15:45:00.000Z', 'dmy'],
  ['datetime', '31/1/2015 23:30 +0100', '2015-01-31T22:30:00.000Z', 'dmy'],
  ['datetime', '42035.5', '2015-01-31T12:00:00.000Z', 'excel'],
  ['datetime', '1622456430', '2021-05-31T10:20:30.000Z', 'epoch'],
  ['datetime', '1622456430123', '2021-05-31T10:20:30.123Z', 'epoch'],
  ['choice', 'Gold ', 'Gold', 'trim'],
  ['choice', ' on hold', 'On Hold', 'ignore-case'],
])('a column of type %s with %s', (type, text, value, reading) => {
  it(`sends ${JSON.stringify(value)}, read as ${reading}`, () => {
    expect(columnOf(type, [text])).toMatchObject({
      sent: [value],
      uses: [[reading, 1]],
      samples: [[text, value]],
      ambiguities: [],
      unreadable: 0,
    });
  });
});

it.each<[type: TypeName, texts: string[]]>([
  ['integer', ['12', ' 12 ', '12.0', '12.5x', 'many', '12,5', '12 PCS', '12%', '1,00,0']],
  [
    'decimal',
    [
      '12.5',
      '1.250',
      '1e3',
      'EUR',
      '€ 5 €',
      '$',
      '(5',
      ',',
      '12,5,0',
      '0.000.000',
      '--5',
      '(-5)',
      '5-',
      'Infinity',
    ],
  ],
  ['boolean', ['true', '1', 'FALSE', 'perhaps', '2', 'yes please']],
  [
    'date',
    [
      '2015-01-31',
      '13/13/2015',
      '1/31/15',
      '2015-02-30',
      '1/2-2015',
      '2015-01-31T10:20:30Z',
      '31-Foo-2015',
      '4203',
      '60',
      '201512',
      '2015111',
      '201501311',
      'x'.repeat(100),
    ],
  ],
  [
    'datetime',
    [
      '2015-01-31T10:20:30Z',
      '2015-01-31 10:20',
      '1/31/2015 13:45 PM',
      '10:20',
      '31.1.2015 24:00',
      '123456789',
    ],
  ],
  ['choice', ['Gold', 'SILVER', 'Bronze', 'constructor', '']],
])('a column of type %s sends other values as they are', (type, texts) => {
  expect(columnOf(type, texts)).toMatchObject({ sent: texts, uses: [], ambiguities: [] });
});

it.each<[type: TypeName, texts: string[], sent: Json[]]>([
  ['date', ['3/4/2015', '1/31/2015'], ['2015-03-04', '2015-01-31']],
  ['date', ['3/4/2015', '31/1/2015'], ['2015-04-03', '2015-01-31']],
  ['date', ['3/3/2015', '2015-03-04'], ['2015-03-03', '2015-03-04']],
  [
    'datetime',
    ['3/4/2015 10:00', '3/13/2015 9:00 PM'],
    ['2015-03-04T10:00:00.000Z', '2015-03-13T21:00:00.000Z'],
  ],
  ['decimal', ['1,234', '1,234.5'], [1234, 1234.5]],
  ['decimal', ['1,234', '12,5'], [1.234, 12.5]],
  ['decimal', ['1.234', '12.0', '1,234'], ['1.234', '12.0', 1234]],
  ['decimal', ['1,234', '12.0', '1.234'], [1234, '12.0', '1.234']],
  ['decimal', ['1.234', '1.234,5', '250'], [1234, 1234.5, 250]],
  ['decimal', ['1.234', '2.500'], ['1.234', '2.500']],
  ['decimal', ['1.234', '0.500'], ['1.234', '0.500']],
  ['integer', ['1.000', '2.500', '250'], [1000, 2500, 250]],
  ['integer', ['1.000', '12.0'], ['1.000', '12.0']],
  ['integer', ['1.000', '1,000'], ['1.000', 1000]],
])('the other values of a column of type %s decide between two readings: %j', (type, texts, sent) => {
  expect(columnOf(type, texts)).toMatchObject({ sent, ambiguities: [] });
});

it.each<[type: TypeName, texts: string[], meanings: [string | undefined, Json][], isMixed: boolean]>([
  [
    'date',
    ['3/4/2015', '2015-01-31', '3/3/2015'],
    [
      ['mdy', '2015-03-04'],
      ['dmy', '2015-04-03'],
    ],
    false,
  ],
  [
    'date',
    ['3/4/2015', '1/31/2015', '31/1/2015'],
    [
      ['mdy', '2015-03-04'],
      ['dmy', '2015-04-03'],
    ],
    true,
  ],
  [
    'decimal',
    ['1,234', '250'],
    [
      ['1,000.00', 1234],
      ['1.000,00', 1.234],
    ],
    false,
  ],
  [
    'decimal',
    ['1.234', '1.234,5', '12.5'],
    [
      [undefined, 1.234],
      ['1.000,00', 1234],
    ],
    true,
  ],
  [
    'integer',
    ['1.000', '250'],
    [
      [undefined, 1],
      ['1.000,00', 1000],
    ],
    false,
  ],
])('a column of type %s is ambiguous with %j', (type, texts, meanings, isMixed) => {
  const [ambiguity, ...others] = columnOf(type, texts).ambiguities;
  expect(others).toEqual([]);
  expect(ambiguity?.text).toBe(texts[0]);
  expect(ambiguity?.isMixed).toBe(isMixed);
  expect(ambiguity?.meanings.map(({ reading, value }) => [reading?.name, value])).toEqual(meanings);
});

it('names the currencies of a column', () => {
  expect(columnOf('decimal', ['$1,000.50', '€ 3', 'USD 5', '12']).currencies).toEqual(['$', '€', 'USD']);
});

it('converts with the readings that the user has chosen, also where the server would read otherwise', () => {
  const attribute = attributeOf('decimal');
  const column = new ColumnValues(
    attribute,
    readingsOfType(attribute).filter(({ name }) => name === '1.000,00'),
    { isChosen: true },
  );
  for (const text of ['1.234', '12.5']) column.add(text);
  const { conversion, ambiguities } = column.resolve();
  expect([conversion.apply('1.234'), conversion.apply('12.5'), ambiguities]).toEqual([1234, '12.5', []]);
});

it('replaces values first', () => {
  const column = new ColumnValues(attributeOf('choice'), []);
  const conversion = column.resolve().conversion.with(
    new Map([
      ['Premium', 'Gold'],
      ['n/a', null],
    ]),
  );
  expect([' Premium', 'n/a', 'Gold', 'other'].map((text) => conversion.apply(text))).toEqual([
    'Gold',
    null,
    'Gold',
    'other',
  ]);
});
