import { describe, expect, it } from 'vitest';
import { readInput } from './read-input';

describe('readInput', () => {
  it('returns undefined for blank text', () => {
    expect(readInput(' \n ')).toBeUndefined();
  });

  it('reads one account, an array, or one account per line, and keeps the text unchanged', () => {
    expect(readInput('{"account_id": "a", "licenses": 1e2}\n')).toEqual({
      records: 1,
      contentType: 'application/json',
      body: '[{"account_id": "a", "licenses": 1e2}]',
      values: [{ account_id: 'a', licenses: 100 }],
    });
    expect(readInput('[{"account_id":"a"},\n {"account_id":"b"}]')).toEqual({
      records: 2,
      contentType: 'application/json',
      body: '[{"account_id":"a"},\n {"account_id":"b"}]',
      values: [{ account_id: 'a' }, { account_id: 'b' }],
    });
    expect(readInput('{"account_id":"a"}\n\n{"account_id":"b"}')).toEqual({
      records: 2,
      contentType: 'application/x-ndjson',
      body: '{"account_id":"a"}\n\n{"account_id":"b"}',
      values: [{ account_id: 'a' }, { account_id: 'b' }],
    });
  });

  it('reports line and column of invalid JSON', () => {
    expect(readInput('{\n  "account_id": "a",\n  "licenses": acme\n}')).toEqual({
      problem: 'This is not valid JSON: invalid symbol (line 3, column 15)',
    });
    expect(readInput('{"account_id": "a"')).toEqual({
      problem: 'This is not valid JSON: close brace expected (line 1, column 19)',
    });
    expect(readInput('{"account_id": "a",}')).toEqual({
      problem: 'This is not valid JSON: property name expected (line 1, column 20)',
    });
  });
});
