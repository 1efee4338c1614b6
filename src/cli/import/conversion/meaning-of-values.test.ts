import type { Json } from '@account-sync/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttributeType, readValue, type TypeName } from '../../../domain/attribute-types.js';
import { ColumnValues } from './column-values.js';
import { selectReadings } from './select-readings.js';

/** No conversion may change silently what a value means, whatever else is in its column. */

const CHOICES = ['Gold', 'Silver', 'silver ', 'On Hold', 'İ', 'ß'];
const TYPES = ['integer', 'decimal', 'boolean', 'date', 'datetime', 'choice'] as const;
const attributeOf = (type: TypeName): AttributeType => ({ type, choices: type === 'choice' ? CHOICES : [] });

/** What is sent for each text of a column; `undefined` if the user is asked first. */
function sent(type: TypeName, texts: readonly string[], isExcerpt = false): readonly Json[] | undefined {
  const attribute = attributeOf(type);
  const column = new ColumnValues(attribute, selectReadings(attribute, { names: [] }).readings, {
    isDotUnclear: isExcerpt,
  });
  for (const text of texts) column.add(text);
  const { conversion, ambiguities } = column.resolve();
  return ambiguities.length > 0 ? undefined : texts.map((text) => conversion.apply(text));
}

/** The value that the server stores; `undefined` if it rejects it. */
const stored = (type: TypeName, value: Json) => readValue(value, attributeOf(type));

const digits = fc.stringMatching(/^[-+(]?[€$]? ?\d{1,4}([., '\u00a0]\d{1,4}){0,3}(e\d)?[)%]?$/);
const days = fc.stringMatching(/^[0-3]?\d[/.-][0-3]?\d[/.-](20)?1\d( [0-2]?\d:[0-5]\d( [AP]M)?)?$/);
const isoDays = fc.stringMatching(
  /^ ?201\d[-/.]?[01]\d[-/.]?[0-3]\d([T ][0-2]\d:[0-5]\d(:00)?(Z| ?[+-]\d\d:?\d\d| UTC)?)?$/,
);
const others = fc.constantFrom('yes', 'N', 'TRUE', '1', '0', 'gold ', 'SILVER', 'silver', 'i', 'SS', '', '-');
const ambiguous = fc.constantFrom(
  ...[
    '1.234',
    '1,234',
    '1,234.5',
    '1.234,5',
    '12.5',
    '12,5',
    '1.000',
    '1,000',
    '12.0',
    '12,0',
    '250',
    '1.234.567',
  ],
  ...['3/4/2015', '1/31/2015', '31/1/2015', '3-4-2015', '3.4.2015', '3/3/2015'],
);
const texts = fc.oneof(
  fc.array(fc.oneof(digits, days, isoDays, others, fc.string()), { minLength: 1, maxLength: 6 }),
  fc.array(ambiguous, { minLength: 1, maxLength: 5 }),
);
const types = fc.constantFrom(...TYPES);

describe('in any column', () => {
  it('a value that the server accepts is sent as it is, but for numbers with dots that other numbers explain', () => {
    fc.assert(
      fc.property(types, texts, (type, column) => {
        for (const [at, value] of (sent(type, column) ?? []).entries()) {
          const text = column[at] as string;
          if (stored(type, text) === undefined) continue;
          const isNumber = type === 'integer' || type === 'decimal';
          if (!isNumber) expect(value).toBe(text);
          else if (!text.includes('.')) expect(stored(type, value)).toBe(stored(type, text));
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('what is converted is accepted by the server', () => {
    fc.assert(
      fc.property(types, texts, (type, column) => {
        for (const [at, value] of (sent(type, column) ?? []).entries()) {
          const isBlank = value === null && column[at]?.trim() === '';
          if (value !== column[at] && !isBlank) expect(stored(type, value)).not.toBeUndefined();
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('the order of the values changes nothing', () => {
    const shuffled = texts.chain((column) =>
      fc.tuple(fc.constant(column), fc.shuffledSubarray(column, { minLength: column.length })),
    );
    fc.assert(
      fc.property(types, shuffled, (type, [column, other]) => {
        const [first, second] = [sent(type, column), sent(type, other)].map((values, at) =>
          values?.map((value, index) => [(at === 0 ? column : other)[index], stored(type, value)]).sort(),
        );
        expect(second).toEqual(first);
      }),
      { numRuns: 3_000 },
    );
  });

  it('a value means the same when it comes again in a file of rejected rows, or the user is asked', () => {
    const excerpts = texts.chain((column) =>
      fc.tuple(fc.constant(column), fc.subarray([...column.keys()], { minLength: 1 })),
    );
    fc.assert(
      fc.property(types, excerpts, (type, [column, kept]) => {
        const whole = sent(type, column);
        const excerpt = sent(
          type,
          kept.map((at) => column[at] as string),
          true,
        );
        if (whole === undefined || excerpt === undefined) return;
        const meanings = (values: readonly (Json | undefined)[]) =>
          values.map((value) => stored(type, value as Json));
        expect(meanings(excerpt)).toEqual(meanings(kept.map((at) => whole[at])));
      }),
      { numRuns: 3_000, examples: [['decimal', [['1.234,5', '1.234'], [1]]]] },
    );
  });

  it('what was sent once is sent again', () => {
    fc.assert(
      fc.property(types, texts, (type, column) => {
        const once = sent(type, column)?.map((value) => stored(type, value));
        const again = once?.flatMap((value) => (value === undefined ? [] : [String(value)]));
        if (again === undefined || again.length === 0) return;
        const isAmbiguous = type === 'integer' || type === 'decimal';
        if (isAmbiguous && again.some((text) => /[.e]/.test(text))) return;
        expect(sent(type, again)).toEqual(again);
      }),
    );
  });
});
