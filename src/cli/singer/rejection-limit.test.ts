import { describe, expect, it } from 'vitest';
import { CommandFailed } from '../terminal/command-line.js';
import { RejectionLimit } from './rejection-limit.js';

const results = (records: number, refused: number) => ({
  records,
  counts: { created: records - refused, updated: 0, unchanged: 0, skipped: 0, refused, kept: 0 },
});

const outcome = (limit: RejectionLimit, records: number, refused: number, isEnd = false) => {
  try {
    limit.check(results(records, refused), isEnd);
  } catch (error) {
    return (error as Error).message;
  }
  return limit.isInDoubt(results(records, refused)) ? 'in doubt' : 'fine';
};

describe('of the first thousand records', () => {
  it('half may be rejected', () => {
    const limit = new RejectionLimit(50);
    expect([outcome(limit, 10, 5), outcome(limit, 1_000, 500)]).toEqual(['fine', 'fine']);
  });

  it('more than half are too many, as soon as that is certain', () => {
    const limit = new RejectionLimit(50);
    expect(outcome(limit, 500, 500)).toBe('in doubt');
    expect(() => limit.check(results(501, 501), false)).toThrow(
      new CommandFailed(
        '501 of the first 501 records were rejected, more than 50 %. Correct the mapping or the attributes and run ' +
          'the pipeline again; no state was written after these records. If they are to be rejected, allow it with ' +
          '--max-rejected 100.',
      ),
    );
  });

  it('a few may decide later', () => {
    const limit = new RejectionLimit(50);
    expect([outcome(limit, 3, 3), outcome(limit, 6, 3)]).toEqual(['in doubt', 'fine']);
  });
});

it('later records are not limited', () => {
  const limit = new RejectionLimit(50);
  expect([outcome(limit, 1_000, 0), outcome(limit, 100_000, 99_000)]).toEqual(['fine', 'fine']);
});

it('a shorter input is judged at its end, unless it is very short', () => {
  expect(outcome(new RejectionLimit(50), 99, 99, true)).toBe('fine');
  expect(outcome(new RejectionLimit(50), 100, 50, true)).toBe('fine');
  expect(outcome(new RejectionLimit(50), 100, 51, true)).toContain(
    '51 of the first 100 records were rejected',
  );
});

it('100 % allows everything, 0 % nothing', () => {
  expect(outcome(new RejectionLimit(100), 1_000, 1_000)).toBe('fine');
  expect(outcome(new RejectionLimit(0), 1_000, 1)).toContain('more than 0 %');
});
