import type { Source } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { changesOf, draftOf, isComplete, NEW_SOURCE } from './source-draft';

const CRM: Source = {
  name: 'crm',
  label: 'Salesforce',
  expect_every_seconds: 86_400,
  grace_seconds: 5_400,
  is_late: false,
  is_tracked: true,
  last_finished_at: null,
  next_expected_at: null,
  created_at: '2027-01-31T12:00:00.000Z',
  recent_runs: [],
};

describe('a draft of a source', () => {
  it('changes nothing unless it is edited', () => {
    expect(changesOf(draftOf(CRM), CRM)).toEqual({
      label: 'Salesforce',
      expect_every_seconds: 86_400,
      grace_seconds: 5_400,
    });
    const unexpected = { ...CRM, expect_every_seconds: null };
    expect(changesOf(draftOf(unexpected), unexpected)).toEqual({
      label: 'Salesforce',
      expect_every_seconds: null,
    });
  });

  it('leaves out an empty label of a new source, and sends that of a stored one', () => {
    expect(changesOf({ ...NEW_SOURCE, name: 'crm', label: ' ' }, undefined)).toEqual({
      expect_every_seconds: null,
    });
    expect(changesOf({ ...draftOf(CRM), label: '' }, CRM)).toMatchObject({ label: '' });
  });

  it('sends whether the source is tracked only if that was changed', () => {
    expect(changesOf({ ...draftOf(CRM), isTracked: false }, CRM)).toMatchObject({ is_tracked: false });
    expect(changesOf({ ...NEW_SOURCE, name: 'crm', isTracked: true }, undefined)).toEqual({
      expect_every_seconds: null,
      is_tracked: true,
    });
  });

  it('is complete with a name and both intervals', () => {
    expect(isComplete(NEW_SOURCE)).toBe(false);
    expect(isComplete(draftOf(CRM))).toBe(true);
    expect(isComplete({ ...draftOf(CRM), grace: { amount: '', unit: 'hours' } })).toBe(false);
    expect(isComplete({ ...draftOf(CRM), isExpected: false, grace: { amount: '', unit: 'hours' } })).toBe(
      true,
    );
  });
});
