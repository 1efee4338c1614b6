import { expect, it } from 'vitest';
import { messagesOf, RejectionReasons } from './result-tracker.js';

it('counts a message about different accounts once, most frequent first, with its first line', () => {
  const reasons = new RejectionReasons();
  reasons.add(2, null, ['The record is not valid JSON: unexpected end at line 1, column 37.']);
  reasons.add(3, 'a', ['Account a, licenses has invalid integer value.', 'The name must be a string.']);
  reasons.add(9, 'b,c', ['Account b,c, licenses has invalid integer value.']);
  reasons.add(12, null, ['Account , licenses has invalid integer value.']);
  reasons.add(15, null, ['The record is not valid JSON: unexpected end at line 1, column 4.']);
  expect(reasons.list()).toEqual([
    { message: 'Account …, licenses has invalid integer value.', count: 3, line: 3, account_id: 'a' },
    { message: 'The record is not valid JSON: unexpected end.', count: 2, line: 2, account_id: null },
    { message: 'The name must be a string.', count: 1, line: 3, account_id: 'a' },
  ]);
});

it('continues from the counts of an earlier run', () => {
  const earlier = new RejectionReasons();
  earlier.add(2, 'a', ['The name must be a string.']);
  const reasons = new RejectionReasons(JSON.parse(JSON.stringify(earlier.list())));
  reasons.add(7, 'b', ['The name must be a string.']);
  expect(reasons.list()).toEqual([
    { message: 'The name must be a string.', count: 2, line: 2, account_id: 'a' },
  ]);
});

it('keeps a bounded number of reasons', () => {
  const reasons = new RejectionReasons();
  for (let line = 1; line <= 3_000; line += 1) reasons.add(line, null, [`Reason ${line}.`]);
  const listed = reasons.list();
  expect(listed).toHaveLength(1_001);
  expect(listed[0]).toEqual({ message: 'Other reasons.', count: 2_000, line: 1_001, account_id: null });
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
