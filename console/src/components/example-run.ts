import type { Run } from '@account-sync/client';

/** A finished run without records, for tests. */
export function exampleRun(parts: Partial<Run> = {}): Run {
  return {
    id: '12',
    source: 'crm',
    kind: 'explicit',
    mode: 'upsert',
    state: 'finished',
    key_id: 'k1',
    user: null,
    started_at: '2027-01-31T02:00:00.000Z',
    ended_at: '2027-01-31T02:01:00.000Z',
    last_request_at: '2027-01-31T02:01:00.000Z',
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
    ...parts,
  };
}
