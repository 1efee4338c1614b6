import { describe, expect, it } from 'vitest';
import {
  EVENT_TYPES,
  type EventType,
  GIVE_UP_MS,
  hasValues,
  matches,
  retryDelayMs,
  type WebhookFilter,
  wantedValues,
} from './webhook.js';

const ALL: WebhookFilter = { sources: [], fields: [], values: {} };
const updated = { type: 'account.updated', source: 'crm', fields: ['licenses', 'name'] } as const;

describe('a filter', () => {
  it.each<[string, readonly EventType[], Partial<WebhookFilter>, boolean]>([
    ['allows all', EVENT_TYPES, {}, true],
    ['allows kinds of events', ['account.updated'], {}, true],
    ['leaves out other kinds', ['account.created'], {}, false],
    ['allows sources', EVENT_TYPES, { sources: ['billing', 'crm'] }, true],
    ['leaves out other sources', EVENT_TYPES, { sources: ['billing'] }, false],
    ['allows changes of one of its fields', EVENT_TYPES, { fields: ['industry', 'name'] }, true],
    ['leaves out changes of other fields', EVENT_TYPES, { fields: ['industry'] }, false],
    ['leaves out what only one part allows', EVENT_TYPES, { sources: ['billing'], fields: ['name'] }, false],
  ])('%s', (_what, events, part, isWanted) => {
    expect(matches(events, { ...ALL, ...part }, updated)).toBe(isWanted);
  });

  it('by fields is only for created and updated accounts', () => {
    const filter = { ...ALL, fields: ['industry'] };
    for (const type of EVENT_TYPES) {
      const hasFields = type === 'account.created' || type === 'account.updated';
      expect(matches(EVENT_TYPES, filter, { type, source: 'crm', fields: [] })).toBe(!hasFields);
    }
  });

  it('by source leaves out what has no known source, except bursts, which are of the tenant', () => {
    const filter = { ...ALL, sources: ['crm'] };
    const isWanted = (type: EventType) => matches(EVENT_TYPES, filter, { type, source: null, fields: [] });
    expect(EVENT_TYPES.filter(isWanted)).toEqual(['rejections.burst']);
  });

  it.each<[WebhookFilter['values'], Record<string, unknown>, boolean]>([
    [{}, {}, true],
    [{ custom_Tier: ['gold', 'silver'] }, { custom_Tier: 'silver' }, true],
    [{ custom_Tier: ['gold'] }, { custom_Tier: 'Gold' }, false],
    [{ custom_Tier: ['gold'] }, {}, false],
    [{ custom_Tier: [null] }, {}, true],
    [{ licenses: [5] }, { licenses: 5 }, true],
    [{ licenses: ['5'] }, { licenses: 5 }, false],
    [{ tags: ['b'] }, { tags: ['a', 'b'] }, true],
    [{ custom_Tier: ['gold'], licenses: [5] }, { custom_Tier: 'gold', licenses: 6 }, false],
  ])('by values: %j of %j: %s', (values, account, isWanted) => {
    expect(hasValues(wantedValues(values), account)).toBe(isWanted);
  });
});

it('waits longer after each failure, up to three hours, and differently for each endpoint', () => {
  const delays = Array.from({ length: 12 }, (_, i) => retryDelayMs(i + 1, 0.5) / 1_000);
  expect(delays).toEqual([5, 15, 45, 135, 405, 1_215, 3_645, 10_800, 10_800, 10_800, 10_800, 10_800]);
  expect([retryDelayMs(1, 0), retryDelayMs(1, 1)]).toEqual([4_000, 6_000]);
  expect(GIVE_UP_MS).toBe(3 * 86_400_000);
});
