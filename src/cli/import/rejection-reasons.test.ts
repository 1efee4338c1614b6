import { expect, it } from 'vitest';
import type { ImportItem } from './items.js';
import { messagesOf, RejectionReasons } from './rejection-reasons.js';

const item = (line: number, original: readonly string[] = []): ImportItem => ({ line, record: '', original });
const about = (field: string | null, ...messages: string[]) =>
  messages.map((message) => ({ field, message }));
/** The only cell is that of licenses. */
const cell = ({ original }: ImportItem, field: string) => (field === 'licenses' ? original[0] : undefined);

it('counts a message about different accounts once, most frequent first, with its first line and different values', () => {
  const reasons = new RejectionReasons();
  const add = (at: ImportItem, id: string | null, messages: ReturnType<typeof about>) =>
    reasons.add(at, id, messages, cell);
  add(item(2), null, about(null, 'The record is not valid JSON: unexpected end at line 1, column 37.'));
  add(item(3, ['many']), 'a', [
    ...about('licenses', 'Account a, licenses has invalid integer value.'),
    ...about('name', 'The name must be a string.'),
  ]);
  add(item(9, ['many']), 'b,c', about('licenses', 'Account b,c, licenses has invalid integer value.'));
  add(item(12, ['x'.repeat(300)]), null, about('licenses', 'Account , licenses has invalid integer value.'));
  for (const line of [13, 14]) {
    add(
      item(line, [`some ${line}`]),
      null,
      about('licenses', 'Account , licenses has invalid integer value.'),
    );
  }
  add(item(15), null, about(null, 'The record is not valid JSON: unexpected end at line 1, column 4.'));
  expect(reasons.list()).toEqual([
    {
      message: 'Account …, licenses has invalid integer value.',
      count: 5,
      line: 3,
      account_id: 'a',
      field: 'licenses',
      samples: [
        { line: 3, account_id: 'a', value: 'many' },
        { line: 12, account_id: null, value: 'x'.repeat(200) },
        { line: 13, account_id: null, value: 'some 13' },
      ],
    },
    {
      message: 'The record is not valid JSON: unexpected end.',
      count: 2,
      line: 2,
      account_id: null,
      field: null,
      samples: [],
    },
    { message: 'The name must be a string.', count: 1, line: 3, account_id: 'a', field: 'name', samples: [] },
  ]);
});

it('continues from the counts of an earlier run, also of an older version', () => {
  const earlier = { message: 'The name must be a string.', count: 1, line: 2, account_id: 'a' };
  const reasons = new RejectionReasons([earlier as never]);
  reasons.add(item(7), 'b', about('name', 'The name must be a string.'), () => '5');
  const [reason] = reasons.list();
  expect(reason).toEqual({
    ...earlier,
    count: 2,
    field: null,
    samples: [{ line: 7, account_id: 'b', value: '5' }],
  });
  expect(new RejectionReasons(JSON.parse(JSON.stringify(reasons.list()))).list()).toEqual([reason]);
});

it('keeps a bounded number of reasons', () => {
  const reasons = new RejectionReasons();
  for (let line = 1; line <= 3_000; line += 1) {
    reasons.add(item(line), null, about(null, `Reason ${line}.`), () => undefined);
  }
  const listed = reasons.list();
  expect(listed).toHaveLength(1_001);
  expect(listed[0]).toEqual({
    message: 'Other reasons.',
    count: 2_000,
    line: 1_001,
    account_id: null,
    field: null,
    samples: [],
  });
});

it('reads the messages of a result, by attribute or as a problem', () => {
  const failed = { index: 0, account_id: null, status: 'failed' } as const;
  expect(messagesOf({ ...failed, errors: { name: ['A.', 'B.'], licenses: ['C.'] } })).toEqual([
    ...about('name', 'A.', 'B.'),
    ...about('licenses', 'C.'),
  ]);
  expect(messagesOf({ ...failed, problem: 'D.' })).toEqual(about(null, 'D.'));
});
