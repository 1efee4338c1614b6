import type { MissingAccounts, Run } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { exampleRun } from '../../components/example-run';
import { missingText } from './missing-text';

const textOf = (missing: MissingAccounts, parts: Partial<Run> = {}) =>
  missingText(exampleRun(parts), missing);

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
