import { expect, it } from 'vitest';
import { messagesOf, RejectionReasons } from './result-tracker.js';

it('counts a sentence about different accounts as one, the most frequent first, with its first line', () => {
  const tally = new RejectionReasons();
  tally.add(2, null, ['The record is not valid JSON: unexpected end at line 1, column 37.']);
  tally.add(3, 'a', ['Account a, licenses has invalid integer value.', 'The name must be a string.']);
  tally.add(9, 'b,c', ['Account b,c, licenses has invalid integer value.']);
  tally.add(12, null, ['Account , licenses has invalid integer value.']);
  tally.add(15, null, ['The record is not valid JSON: unexpected end at line 1, column 4.']);
  expect(tally.kinds()).toEqual([
    { message: 'Account …, licenses has invalid integer value.', count: 3, line: 3, account_id: 'a' },
    { message: 'The record is not valid JSON: unexpected end.', count: 2, line: 2, account_id: null },
    { message: 'The name must be a string.', count: 1, line: 3, account_id: 'a' },
  ]);
});

it('goes on from what an earlier one counted', () => {
  const earlier = new RejectionReasons();
  earlier.add(2, 'a', ['The name must be a string.']);
  const tally = new RejectionReasons(JSON.parse(JSON.stringify(earlier.kinds())));
  tally.add(7, 'b', ['The name must be a string.']);
  expect(tally.kinds()).toEqual([
    { message: 'The name must be a string.', count: 2, line: 2, account_id: 'a' },
  ]);
});

it('keeps a bounded number of kinds', () => {
  const tally = new RejectionReasons();
  for (let line = 1; line <= 3_000; line += 1) tally.add(line, null, [`Reason ${line}.`]);
  const kinds = tally.kinds();
  expect(kinds).toHaveLength(1_001);
  expect(kinds[0]).toEqual({ message: 'Other reasons.', count: 2_000, line: 1_001, account_id: null });
});

it('reads the messages of a result, by attribute or as a problem', () => {
  const failed = { index: 0, account_id: null, status: 'failed' } as const;
  expect(messagesOf({ ...failed, errors: { name: ['A.', 'B.'], licenses: ['C.'] } })).toEqual([
    'A.',
    'B.',
    'C.',
  ]);
  expect(messagesOf({ ...failed, problem: 'D.' })).toEqual(['D.']);
});
