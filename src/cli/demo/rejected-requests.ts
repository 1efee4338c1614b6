import { DAY_MS } from './account-fields.js';
import { HOUR_MS, MINUTE_MS } from './random.js';
import {
  type AccountState,
  type DemoRecord,
  REJECTED_RECORDS,
  type RejectionKind,
  type Step,
  sync,
} from './step.js';

const BURST_REQUESTS = 20;
const BURST_RECORDS = 6;

/** A burst in the last night: one system sends invalid records for some minutes. */
export function rejectionBurst(accounts: readonly AccountState[], now: number): Step[] {
  const night = now - HOUR_MS - ((now - HOUR_MS - 2 * HOUR_MS) % DAY_MS);
  return Array.from({ length: BURST_REQUESTS }, (_, i) => {
    const about = accounts.slice((i * BURST_RECORDS) % accounts.length).slice(0, BURST_RECORDS);
    const records = about.map((account) => badRecord('wordForTime', account));
    return sync(night + i * 27_000, 'product', records);
  });
}

/** Requests that are rejected as a whole. */
export function brokenRequests(now: number): Step[] {
  const common = { method: 'POST', records: [], rejections: 1, url: '/api/v1_1/account' } as const;
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

export function badRecord(rejection: RejectionKind, account: AccountState): DemoRecord {
  return { record: REJECTED_RECORDS[rejection](account), rejection };
}
