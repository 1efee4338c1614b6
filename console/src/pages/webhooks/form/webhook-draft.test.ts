import type { Webhook } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../event-types';
import { changesOf, draftOf, hasOptions, NEW_WEBHOOK, settingsOf } from './webhook-draft';

const WEBHOOK: Webhook = {
  id: 'wh_5f0c2a9e41d7',
  url: 'https://crm.example.com/account-events',
  description: 'Back to the CRM',
  events: ['account.updated'],
  filter: { sources: ['billing'], fields: ['licenses'], values: { custom_Zip: ['12345'], custom_N: [5] } },
  batch_size: 10,
  state: 'active',
  reason: null,
  cursor: '0~512',
  has_all: true,
  failures: 0,
  failing_since: null,
  retry_at: null,
  last_error: null,
  delivered_at: null,
  previous_secret_until: null,
  created_at: '2027-01-31T12:00:00.000Z',
};

const typeOf = (field: string) => (field === 'custom_Tier' ? 'choice' : undefined);

describe('the draft of a webhook', () => {
  it('gets all events at first', () => {
    expect(hasOptions(NEW_WEBHOOK)).toBe(false);
    expect(settingsOf({ ...NEW_WEBHOOK, url: ' https://a.test ' }, typeOf)).toEqual({
      url: 'https://a.test',
      description: '',
      events: EVENT_TYPES,
      filter: { sources: [], fields: [], values: {} },
      batch_size: 100,
    });
  });

  it('is saved without changes if none were made', () => {
    const draft = draftOf(WEBHOOK);
    expect(hasOptions(draft)).toBe(true);
    expect(changesOf(settingsOf(draft, typeOf), WEBHOOK)).toEqual({});
    const changed = { ...draft, description: '', fields: [] };
    expect(changesOf(settingsOf(changed, typeOf), WEBHOOK)).toEqual({
      description: '',
      filter: { ...WEBHOOK.filter, fields: [] },
    });
  });

  it('joins the values of a field, and leaves out empty conditions', () => {
    const conditions = [
      { key: 0, field: 'custom_Tier', values: ['1'] },
      { key: 1, field: ' custom_Tier ', values: ['gold'] },
      { key: 2, field: 'licenses', values: ['1'] },
      { key: 3, field: '', values: [] },
    ];
    const { filter } = settingsOf({ ...NEW_WEBHOOK, conditions }, typeOf);
    expect(filter.values).toEqual({ custom_Tier: ['1', 'gold'], licenses: [1] });
  });
});
