import { describe, expect, it } from 'vitest';
import { reasonLines } from './reasons-report.js';
import { NO_ADVICE } from './rejection-advice.js';
import type { RejectionReason } from './rejection-reasons.js';

const reason = (message: string, count: number, other: Partial<RejectionReason> = {}): RejectionReason => ({
  message,
  count,
  line: 3,
  account_id: null,
  field: null,
  samples: [],
  ...other,
});

describe('the report of reasons', () => {
  it('is empty if there are none', () => {
    expect(reasonLines([], () => NO_ADVICE)).toEqual([]);
  });

  it('shows each with its values, what is accepted, and what to add', () => {
    const reasons = [
      reason('Account …, licenses has invalid integer value.', 1_234_567, {
        field: 'licenses',
        samples: [
          { line: 3, account_id: 'acme', value: '12 seats' },
          { line: 4_000, account_id: null, value: `"${'x'.repeat(100)}` },
          { line: 5, account_id: 'red\u001b[31m', value: '\u001b[31m\n' },
        ],
      }),
      reason('The record is not valid JSON\u202e.', 2, { line: 7 }),
      reason('The name must be a string.', 1, { line: 8, account_id: 'globex' }),
    ];
    const lines = reasonLines(reasons, ({ field }) =>
      field === null
        ? NO_ADVICE
        : { accepted: 'a whole number\u0007', add: '--ignore "two\nlines\u0007" to leave the column out' },
    );
    expect(lines.join('\n')).toBe(`
REJECTED   REASON
1,234,567  Account …, licenses has invalid integer value.
             line 3, acme: "12 seats"
             line 4,000: "\\"${'x'.repeat(56)}…
             line 5, red\\u001b[31m: "\\u001b[31m\\n"
             Accepted: a whole number\\u0007
             Add --ignore "two
lines\\u0007" to leave the column out
2          The record is not valid JSON\\u202e.
             line 7
1          The name must be a string.
             line 8, globex`);
  });

  it('shows the ten most frequent, and how many more there are', () => {
    const many = (count: number) =>
      reasonLines(
        Array.from({ length: count }, (_, number) => reason(`Reason ${number}.`, 20 - number)),
        () => NO_ADVICE,
      );
    expect(many(10).at(-2)).toBe('11        Reason 9.');
    expect(many(10)).toHaveLength(22);
    expect(many(11).slice(-3)).toEqual(['11        Reason 9.', '            line 3', 'and 1 more reason']);
    expect(many(12).at(-1)).toBe('and 2 more reasons');
  });
});
