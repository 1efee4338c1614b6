import { describe, expect, it } from 'vitest';
import { type AttributeCheck, sumChecks } from './sum-checks';

const part = (check: Partial<AttributeCheck>): AttributeCheck => ({
  looked_at: 10,
  values: 0,
  unfit: 0,
  fits: { text: 0, integer: 0, decimal: 0, boolean: 0, date: 0, datetime: 0 },
  examples: [],
  unfit_examples: [],
  distinct: [],
  next: null,
  ...check,
});

describe('sumChecks', () => {
  it('adds the numbers and keeps distinct examples, at most as many as one response has', () => {
    const unfit = [1, 2, 3].map((id) => ({ account_id: `a${id}`, value: `x${id}` }));
    const first = part({
      values: 3,
      unfit: 3,
      fits: { text: 1, integer: 3, decimal: 3, boolean: 2, date: 0, datetime: 0 },
      examples: [1, '1', 2],
      unfit_examples: unfit,
      distinct: ['a'],
      next: 'c',
    });
    const second = part({
      values: 4,
      unfit: 3,
      fits: { text: 1, integer: 4, decimal: 4, boolean: 1, date: 0, datetime: 0 },
      examples: ['1', 3, 4, 5],
      unfit_examples: unfit,
      distinct: ['b', 'a'],
    });
    expect(sumChecks([first, second])).toEqual({
      looked_at: 20,
      values: 7,
      unfit: 6,
      fits: { text: 2, integer: 7, decimal: 7, boolean: 3, date: 0, datetime: 0 },
      examples: [1, '1', 2, 3, 4],
      unfit_examples: [...unfit, ...unfit.slice(0, 2)],
      distinct: ['a', 'b'],
      isComplete: true,
    });
  });

  it('is incomplete while there is a next part', () => {
    expect(sumChecks([part({ next: 'c' })]).isComplete).toBe(false);
  });

  it('lists no distinct texts if one part or the total has too many', () => {
    const texts = Array.from({ length: 20 }, (_, i) => `text ${i}`);
    expect(sumChecks([part({ distinct: texts }), part({ distinct: ['text 1'] })]).distinct).toEqual(texts);
    expect(sumChecks([part({ distinct: texts }), part({ distinct: ['other'] })]).distinct).toBeNull();
    expect(sumChecks([part({ distinct: null }), part({ distinct: ['a'] })]).distinct).toBeNull();
  });
});
