import { describe, expect, it } from 'vitest';
import type { AttributeType, TypeName } from '../../../domain/attribute-types.js';
import { ColumnValues } from './column-values.js';
import { type ChosenReadings, selectReadings } from './select-readings.js';

const attributeOf = (type: TypeName): AttributeType => ({ type, choices: [] });

function selected(type: TypeName | undefined, chosen: ChosenReadings) {
  const { readings, unknown } = selectReadings(type && attributeOf(type), chosen);
  return { readings: readings.map(({ name }) => name), unknown };
}

const DAYS = ['trim', 'mdy', 'dmy', 'ymd', 'day-month', 'month-day'];

describe('the readings of a column', () => {
  it.each<[TypeName | undefined, ChosenReadings, readings: string[], unknown: string[]]>([
    ['date', { names: [] }, [...DAYS, 'excel'], []],
    ['date', { names: [], dates: 'dmy' }, [...DAYS.filter((name) => name !== 'mdy'), 'excel'], []],
    ['date', { names: [], dates: 'mdy' }, [...DAYS.filter((name) => name !== 'dmy'), 'excel'], []],
    ['date', { names: ['ymd', 'mdy', 'ymd'] }, ['ymd', 'mdy'], []],
    ['date', { names: ['mdy'], dates: 'dmy' }, ['mdy'], []],
    ['date', { names: ['as-is'] }, [], []],
    ['date', { names: ['as-is', 'epoch', '1,000.00'] }, [], ['epoch', '1,000.00']],
    ['date', { names: ['day'] }, ['mdy-day', 'dmy-day', 'day', 'day', 'day'], []],
    ['date', { names: ['day'], dates: 'dmy' }, ['dmy-day', 'day', 'day', 'day'], []],
    ['date', { names: ['day', 'mdy-day'], dates: 'dmy' }, ['dmy-day', 'day', 'day', 'day', 'mdy-day'], []],
    ['date', { names: ['day', 'dmy-day'] }, ['dmy-day', 'day', 'day', 'day'], []],
    ['date', { names: ['mdy', 'day'] }, ['mdy', 'mdy-day', 'day', 'day', 'day'], []],
    ['datetime', { names: ['epoch', 'day'] }, ['epoch'], ['day']],
    ['integer', { names: [], dates: 'mdy' }, ['1,000.00', '1.000,00', '1 000,00'], []],
    ['boolean', { names: [] }, ['yes-no'], []],
    ['choice', { names: [] }, ['trim', 'ignore-case'], []],
    ['text', { names: ['trim'] }, [], ['trim']],
    [undefined, { names: ['mdy'] }, [], ['mdy']],
    [undefined, { names: [] }, [], []],
  ])('of type %s with %j are %j', (type, chosen, readings, unknown) => {
    expect(selected(type, chosen)).toEqual({ readings, unknown });
  });
});

describe('the day of a time', () => {
  function days(texts: readonly string[], dates?: 'dmy' | 'mdy') {
    const { readings } = selectReadings(attributeOf('date'), { names: ['day'], dates });
    const column = new ColumnValues(attributeOf('date'), readings, { isChosen: true });
    for (const text of texts) column.add(text);
    const { conversion, ambiguities } = column.resolve();
    return ambiguities.length > 0
      ? ambiguities.map(({ meanings }) => meanings.map(({ reading, value }) => [reading?.name, value]))
      : texts.map((text) => conversion.apply(text));
  }

  it('is read in the order that other values show', () => {
    expect(days(['3/4/2015 10:00', '31/1/2015 23:59'])).toEqual(['2015-04-03', '2015-01-31']);
    expect(days(['3/4/2015 10:00 PM', '1/31/2015 11:59 PM'])).toEqual(['2015-03-04', '2015-01-31']);
  });

  it('is ambiguous if no value shows the order, unless --dates gives it', () => {
    const texts = ['3/4/2015 10:00'];
    expect(days(texts)).toEqual([
      [
        ['mdy-day', '2015-03-04'],
        ['dmy-day', '2015-04-03'],
      ],
    ]);
    expect([days(texts, 'dmy'), days(texts, 'mdy')]).toEqual([['2015-04-03'], ['2015-03-04']]);
  });

  it('is that of the text, whatever its offset', () => {
    const texts = ['2026-03-29T01:30:00+0200', '2026-10-25 23:59:59 -0500', '31.12.2026 23:00 UTC'];
    expect(days([...texts, '1-Jan-2026 3:45 PM'])).toEqual([
      '2026-03-29',
      '2026-10-25',
      '2026-12-31',
      '2026-01-01',
    ]);
  });

  it('is not taken of what is no time', () => {
    const texts = ['31.01.2015 24:00', '31.01.2015 10:60', '31.01.2015 13:00 PM', '31.01.2015 noon'];
    expect(days(texts)).toEqual(texts);
  });
});
