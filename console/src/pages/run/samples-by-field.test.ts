import type { Change } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { samplesByField } from './samples-by-field';

const change = (account_id: string, parts: Partial<Change>): Change => ({
  cursor: `0~${account_id}`,
  account_id,
  revision: 1,
  kind: 'updated',
  at: '2027-01-31T02:00:00.000Z',
  request_id: 'job-1',
  key_id: 'k1',
  user: null,
  source: 'crm',
  run_id: '12',
  is_erased: false,
  changes: [{ field: 'licenses', from: 1, to: 2 }],
  ...parts,
});

const accountsOf = (changes: readonly Change[], field: string) =>
  samplesByField(changes)
    .get(field)
    ?.map((sample) => sample.change.account_id);

describe('samplesByField', () => {
  it('takes the first three changes of each field, updates before creations', () => {
    const created = change('new', {
      kind: 'created',
      changes: [
        { field: 'licenses', from: null, to: 5 },
        { field: 'name', from: null, to: 'New' },
      ],
    });
    expect(accountsOf([created, change('a', {}), change('b', {})], 'licenses')).toEqual(['a', 'b', 'new']);
    expect(accountsOf([created, ...['a', 'b', 'c', 'd'].map((id) => change(id, {}))], 'licenses')).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(accountsOf([created], 'name')).toEqual(['new']);
  });

  it('leaves out values that were erased', () => {
    expect(accountsOf([change('gone', { is_erased: true })], 'licenses')).toBeUndefined();
  });
});
