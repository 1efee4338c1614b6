import type { MissingAccounts, Run } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { missingText } from './missing-text';

const RUN: Run = {
  id: '12',
  source: 'crm',
  kind: 'explicit',
  mode: 'upsert',
  state: 'finished',
  key_id: 'k1',
  started_at: '2027-01-31T02:00:00.000Z',
  ended_at: '2027-01-31T02:00:01.000Z',
  last_request_at: '2027-01-31T02:00:01.000Z',
  requests: 1,
  failed_requests: 0,
  created: 0,
  updated: 0,
  archived: 0,
  restored: 0,
  unchanged: 0,
  skipped: 0,
  kept: 0,
  rejected: 0,
  undo: null,
  missing: null,
};

const textOf = (missing: MissingAccounts, parts: Partial<Run> = {}) =>
  missingText({ ...RUN, ...parts }, missing);

const counted = (action: MissingAccounts['action'], accounts: number, of = 1_100) => ({
  action,
  accounts,
  of,
});

describe('missingText', () => {
  it('says what an open run does, and that an abandoned one has counted nothing', () => {
    const uncounted = { accounts: null, of: null };
    const open = { state: 'open' } as const;
    expect(textOf({ action: 'archive', ...uncounted }, open)).toBe(
      'Asks for missing accounts, which are archived when it is finished',
    );
    expect(textOf({ action: 'report', ...uncounted }, open)).toBe(
      'Asks for missing accounts, which are only counted',
    );
    expect(textOf({ action: 'archive', ...uncounted }, { state: 'abandoned' })).toBe(
      'Asked for missing accounts, which were not counted',
    );
  });

  it('counts missing accounts', () => {
    expect(textOf(counted('report', 37))).toBe('37 of 1,100 accounts of this source are missing');
    expect(textOf(counted('report', 1))).toBe('1 of 1,100 accounts of this source is missing');
    expect(textOf(counted('archive', 0))).toBe('None of 1,100 accounts of this source is missing');
  });

  it('says how many are archived', () => {
    expect(textOf(counted('archive', 37), { archived: 37 })).toBe(
      '37 of 1,100 accounts of this source were missing, and archived',
    );
    expect(textOf(counted('archive', 1), { archived: 1 })).toBe(
      '1 of 1,100 accounts of this source was missing, and archived',
    );
    expect(textOf(counted('archive', 37), { archived: 12, state: 'abandoned' })).toBe(
      '37 of 1,100 accounts of this source were missing, and 12 of them archived',
    );
  });
});
