import { describe, expect, it } from 'vitest';
import { type FilterValue, filterValueText, readFilterValue } from './filter-value';

describe('readFilterValue', () => {
  it.each<[string, FilterValue]>([
    ['gold', 'gold'],
    ['5', 5],
    ['2.5', 2.5],
    ['true', true],
    ['null', null],
    ['"5"', '5'],
    ['"no end', '"no end'],
    ['[1]', '[1]'],
    ['', ''],
  ])('reads %s of an undeclared field', (text, value) => {
    expect(readFilterValue(text, undefined)).toBe(value);
  });

  it.each<[string, FilterValue]>([
    ['12345', '12345'],
    ['true', 'true'],
    ['2027-01-31', '2027-01-31'],
    ['null', null],
    ['"null"', 'null'],
  ])('reads %s of a text', (text, value) => {
    expect(readFilterValue(text, 'text')).toBe(value);
  });

  it.each<[string, FilterValue]>([
    ['5', 5],
    ['many', 'many'],
  ])('reads %s of a number', (text, value) => {
    expect(readFilterValue(text, 'integer')).toBe(value);
  });
});

describe('filterValueText', () => {
  it.each<FilterValue>(['gold', '5', 'true', 'null', '"quoted"', '[1]', '', 5, 2.5, true, null])(
    'is read as %j again',
    (value) => {
      expect(readFilterValue(filterValueText(value), undefined)).toBe(value);
    },
  );

  it('has quotes only if they are necessary', () => {
    expect(['gold', '5', 5].map(filterValueText)).toEqual(['gold', '"5"', '5']);
  });
});
