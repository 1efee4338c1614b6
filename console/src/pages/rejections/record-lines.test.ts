import { describe, expect, it } from 'vitest';
import { beginningOf, recordLines, sentValues } from './record-lines';

describe('recordLines', () => {
  it('returns one entry per field, with its errors', () => {
    const lines = recordLines({ account_id: 'acme', licenses: { of: 3 } }, { licenses: ['No integer.'] });
    expect(lines).toEqual([
      { text: '{', messages: [] },
      { text: '  "account_id": "acme",', messages: [] },
      { text: '  "licenses": {\n    "of": 3\n  }', messages: ['No integer.'] },
      { text: '}', messages: [] },
    ]);
  });

  it('adds an entry for a field that was not sent', () => {
    expect(recordLines({ name: 'Acme' }, { account_id: ['account_id does not exist.'] })[1]).toEqual({
      text: '  "account_id": …',
      messages: ['account_id does not exist.'],
      isMissing: true,
    });
  });

  it('returns one entry if the record is not an object', () => {
    expect(recordLines(7, { account_id: ['account_id does not exist.'] })).toEqual([
      { text: '7', messages: ['account_id does not exist.'] },
    ]);
  });
});

describe('beginningOf', () => {
  it('distinguishes a cut record from one with a field of that name', () => {
    const text = `{"name":"${'x'.repeat(5_000)}`.slice(0, 4_096);
    expect(beginningOf({ truncated: text })).toBe(text);
    expect(beginningOf({ truncated: 'yes' })).toBeUndefined();
    expect(beginningOf({ account_id: 'acme' })).toBeUndefined();
  });
});

it('counts the values that were sent in a field', () => {
  const records = [{ licenses: 'many' }, { licenses: 12.5 }, { licenses: 'many' }, { name: 'Acme' }, null];
  expect(sentValues(records, 'licenses')).toEqual([
    ['"many"', 2],
    ['12.5', 1],
  ]);
});
