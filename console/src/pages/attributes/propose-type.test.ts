import { describe, expect, it } from 'vitest';
import type { CheckTotals } from '../../api/sum-checks';
import { isLikelyChoice, proposeType } from './propose-type';

const sumOf = (
  values: number,
  fits: Partial<CheckTotals['fits']>,
  distinct: readonly string[] | null = [],
) => ({
  looked_at: values,
  values,
  unfit: 0,
  fits: { text: 0, integer: 0, decimal: 0, boolean: 0, date: 0, datetime: 0, ...fits },
  examples: [],
  unfit_examples: [],
  distinct,
  isComplete: true,
});

const field = (guess: 'text' | 'json' | 'date') => ({ name: 'custom_X', accounts: 1, guess });

describe('proposeType', () => {
  it.each([
    ['whole numbers and a few words', 1453, { text: 41, integer: 1412, decimal: 1412 }, 'integer'],
    ['numbers, some of them whole', 100, { integer: 60, decimal: 95, text: 5 }, 'decimal'],
    ['only 0 and 1', 100, { integer: 100, decimal: 100, boolean: 100 }, 'integer'],
    ['true, false, and some 0 and 1', 100, { integer: 30, decimal: 30, boolean: 98, text: 2 }, 'boolean'],
    ['dates as text', 10, { date: 9, text: 10 }, 'date'],
    ['times', 10, { datetime: 10, text: 10 }, 'datetime'],
    ['words', 10, { text: 10, integer: 3, decimal: 3 }, 'text'],
  ])('for %s', (_what, values, fits, type) => {
    expect(proposeType(field('text'), sumOf(values, fits))).toBe(type);
  });

  it('returns the guess if no type has a large majority or there are no values', () => {
    expect(proposeType(field('text'), sumOf(5, { integer: 3, decimal: 3, text: 2 }))).toBe('text');
    expect(proposeType(field('json'), sumOf(5, {}))).toBe('text');
    expect(proposeType(field('date'), sumOf(0, {}))).toBe('date');
  });
});

describe('isLikelyChoice', () => {
  it('is true if a few texts are nearly all stored values', () => {
    expect(isLikelyChoice(sumOf(6, { text: 6 }, ['gold', 'silver', 'Gold']))).toBe(true);
    expect(isLikelyChoice(sumOf(100, { text: 91, integer: 9 }, ['gold', 'silver']))).toBe(true);
  });

  it('is false if most values are not texts, or there are many texts', () => {
    expect(isLikelyChoice(sumOf(1453, { text: 41, integer: 1412 }, ['a', 'b', 'c', 'd']))).toBe(false);
    expect(isLikelyChoice(sumOf(5, { text: 5 }, ['a', 'b', 'c']))).toBe(false);
    expect(isLikelyChoice(sumOf(500, { text: 500 }, null))).toBe(false);
  });
});
