import { DAY_MS } from './account-fields.js';
import { HOUR_MS, MINUTE_MS } from './random.js';
import { type AccountState, type DemoRecord, REFUSALS, type RefusalKind, type Step, sync } from './step.js';

const BURST_REQUESTS = 20;
const BURST_RECORDS = 6;

/** One system sent nonsense for some minutes, in the last night that has passed. */
export function lastNight(accounts: readonly AccountState[], now: number): Step[] {
  const night = now - HOUR_MS - ((now - HOUR_MS - 2 * HOUR_MS) % DAY_MS);
  return Array.from({ length: BURST_REQUESTS }, (_, i) => {
    const about = accounts.slice((i * BURST_RECORDS) % accounts.length).slice(0, BURST_RECORDS);
    const records = about.map((account) => badRecord('wordForMoment', account));
    return sync(night + i * 27_000, 'product', records);
  });
}

/** Requests that are refused as a whole, whatever their records say. */
export function brokenRequests(now: number): Step[] {
  const common = { method: 'POST', records: [], refused: 1, url: '/api/v1_1/account' } as const;
  const json = { ...common, contentType: 'application/json' };
  return [
    { ...json, at: now - 5 * DAY_MS, by: 'billing', body: '{"account_id":"crm-1001.example",', status: 400 },
    { ...json, at: now - 3 * DAY_MS, by: 'crm', body: '{}', status: 400 },
    {
      ...common,
      at: now - 30 * HOUR_MS,
      by: 'crm',
      contentType: 'text/csv',
      body: 'account_id,name\n',
      status: 415,
    },
    {
      ...json,
      at: now - 40 * MINUTE_MS,
      by: 'reader',
      body: '{"account_id":"crm-1001.example"}',
      status: 403,
    },
  ];
}

export function badRecord(refusal: RefusalKind, account: AccountState): DemoRecord {
  return { record: REFUSALS[refusal](account), refusal };
}
