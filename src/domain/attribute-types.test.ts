import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readValue, TYPE_NAMES, type TypeName } from './attribute-types.js';
import type { JsonValue } from './json.js';

const choices = ['Gold', 'silver', ''];
const read = (type: TypeName, value: JsonValue) =>
  readValue(value, { type, choices: type === 'choice' ? choices : [] });

const fromJson = (text: string): JsonValue => JSON.parse(text);

const accepted: Record<TypeName, readonly (readonly [sent: JsonValue, stored: JsonValue])[]> = {
  text: [
    ['', ''],
    [' a\n ', ' a\n '],
    ['e\u0301', 'e\u0301'],
    ['x'.repeat(65_535), 'x'.repeat(65_535)],
    ['😀'.repeat(65_535), '😀'.repeat(65_535)],
  ],
  integer: [
    [12, 12],
    [fromJson('12.0'), 12],
    [1e3, 1000],
    ['12', 12],
    [' -3 ', -3],
    ['+3', 3],
    ['007', 7],
    ['12.00', 12],
    ['-0', 0],
    [-0, 0],
    [9007199254740991, 9007199254740991],
    ['-9007199254740991', -9007199254740991],
  ],
  decimal: [
    [12.5, 12.5],
    ['12.50', 12.5],
    [' -.5 ', -0.5],
    ['12.', 12],
    ['1.5E3', 1500],
    ['-0', 0],
    [-0, 0],
    [Number.MAX_VALUE, Number.MAX_VALUE],
    ['1e-400', 0],
  ],
  boolean: [
    [true, true],
    [false, false],
    [1, true],
    [0, false],
    [-0, false],
    ['1', true],
    ['0', false],
    ['true', true],
    ['FALSE', false],
    ['tRuE', true],
  ],
  date: [['2021-05-31', '2021-05-31']],
  datetime: [['2021-05-31 12:20+02:00', '2021-05-31T10:20:00.000Z']],
  choice: [
    ['Gold', 'Gold'],
    ['silver', 'silver'],
    ['', ''],
  ],
};

const noScalars: readonly JsonValue[] = [null, [], ['1'], {}, { value: '1' }];
const rejected: Record<TypeName, readonly JsonValue[]> = {
  text: [12, true, 'x'.repeat(65_536), '😀'.repeat(65_536), 'a\0b', 'a\ud83d', '\ude00a', '\ude00\ud83d'],
  integer: [
    ...[12.5, '12abc', '', ' ', true, fromJson('1e400'), fromJson('-1e400'), '12.5', '1e3', '0x10', '1_000'],
    ...['1,000', '١٢', '--3', '- 3', '12.', '.0', 'Infinity', 'NaN', '12\0'],
    ...[9007199254740992, '9007199254740992', '9007199254740993', '-9007199254740992', '1'.repeat(400)],
  ],
  decimal: [
    ...['1,000', '1,5', true, false, '', ' ', fromJson('1e400'), '1e400', '-1e400', 'Infinity', 'NaN'],
    ...['0x10', '.', 'e5', '1e', '1 000', '12€', '1.2.3'],
  ],
  boolean: ['yes', 2, -1, 0.5, '', 'on', 'T', ' true', '1.0', 'null'],
  date: ['2021-02-30', 20210531, 0, true],
  datetime: ['2021-05-31', 1622456430, 1622456430000, true],
  choice: ['gold', ' Gold', 'bronze', 0, false, 'constructor', 'length'],
};

it('knows exactly these types', () => {
  expect(TYPE_NAMES).toEqual(['text', 'integer', 'decimal', 'boolean', 'date', 'datetime', 'choice']);
});

describe.each(TYPE_NAMES)('an attribute of type %s', (type) => {
  it.each(accepted[type].map(([sent, stored]) => ({ sent, stored, label: shown(sent) })))(
    'accepts $label in its stored form',
    ({ sent, stored }) => {
      expect(read(type, sent)).toBe(stored);
    },
  );

  it.each([...noScalars, ...rejected[type]].map((sent) => ({ sent, label: shown(sent) })))(
    'rejects $label',
    ({ sent }) => {
      expect(read(type, sent)).toBeUndefined();
    },
  );

  it('accepts what it stored, and stores it unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), nearly[type]), (sent) => {
        const stored = read(type, sent as JsonValue);
        fc.pre(stored !== undefined);
        expect(read(type, stored)).toBe(stored);
        expect(JSON.parse(JSON.stringify(stored))).toBe(stored);
      }),
    );
  });
});

it('accepts no value if the choice has none', () => {
  expect(readValue('', { type: 'choice', choices: [] })).toBeUndefined();
});

const moment = fc
  .date({ min: new Date('0000-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const nearly: Record<TypeName, fc.Arbitrary<JsonValue>> = {
  text: fc.string({ unit: 'binary' }),
  integer: fc.oneof(
    fc.maxSafeInteger(),
    fc.maxSafeInteger().map(String),
    fc.integer().map((n) => ` ${n}.0`),
  ),
  decimal: fc.oneof(
    fc.double(),
    fc.double().map(String),
    fc.float().map((n) => n.toExponential()),
  ),
  boolean: fc.constantFrom<JsonValue>(true, false, 0, -0, 1, '0', '1', 'True', 'FALSE'),
  date: moment.map((text) => text.slice(0, 10)),
  datetime: fc
    .tuple(moment, fc.constantFrom('Z', '', '+14:00', '-09:30'))
    .map(([at, zone]) => at.replace('Z', zone)),
  choice: fc.constantFrom(...choices),
};

function shown(value: JsonValue): string {
  const text = Object.is(value, -0)
    ? '-0'
    : typeof value === 'number'
      ? String(value)
      : JSON.stringify(value);
  return text.length > 30 ? `${text.slice(0, 6)}… (${text.length} units)` : text;
}

describe('a long list of choices', () => {
  it('is read once for any number of values', () => {
    let read = 0;
    const values = Array.from({ length: 1_000 }, (_, i) => `choice ${i}`);
    const choices = new Proxy(values, {
      get: (target, name, receiver) => {
        read += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    const fits = (value: string) => readValue(value, { type: 'choice', choices }) === value;
    expect(values.filter(fits)).toEqual(values);
    expect(fits('choice')).toBe(false);
    // Each value, the length before each, and a little around it.
    expect(read).toBeLessThan(3 * values.length);
  });
});
