import { expect } from 'vitest';
import { readAnswer } from './import-request.js';
import { type Answer, at, eventually, type Tenant } from './v2-server.js';

/** The run that a request names, and the key that sends it; by default no run, and the first key of the tenant. */
export interface Sender {
  readonly run?: string | undefined;
  readonly key?: string | undefined;
  readonly requestId?: string;
}

export const headersOf = (tenant: Tenant, { run, key = tenant.key, requestId = 'r' }: Sender) => ({
  authorization: `Bearer ${key}`,
  'x-request-id': requestId,
  ...(run !== undefined && { 'account-sync-run': run }),
});

/** The kinds of the changes of an account, oldest first. */
export async function kinds(tenant: Tenant, accountId: string): Promise<string[]> {
  const { data } = (await tenant.get(`/accounts/${accountId}/history`)).body;
  return data.map(({ kind }: { kind: string }) => kind).reverse();
}

/** Sends one account, or several as a batch. */
export async function upsert(tenant: Tenant, body: unknown, sender: Sender = {}): Promise<Answer> {
  return tenant.server.inject({
    method: 'POST',
    url: `/api/v1_1/${Array.isArray(body) ? 'accounts' : 'account'}`,
    headers: { ...headersOf(tenant, sender), 'content-type': 'application/json' },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Imports records as lines. The body of an accepted import is its summary. */
export async function importRecords(
  tenant: Tenant,
  records: readonly unknown[],
  { query = '', ...sender }: Sender & { readonly query?: string } = {},
): Promise<Answer> {
  const { statusCode, headers, body } = await tenant.server.app.inject({
    method: 'POST',
    url: `/api/v2/accounts/import${query}`,
    headers: { ...headersOf(tenant, sender), 'content-type': 'application/x-ndjson' },
    payload: records.map((record) => JSON.stringify(record)).join('\n'),
  });
  return {
    status: statusCode,
    headers,
    body: statusCode === 200 ? readAnswer(body).summary : JSON.parse(body),
  };
}

/** Opens a run, and returns its id. */
export async function openRun(tenant: Tenant, key?: string): Promise<string> {
  const { status, body } = await tenant.call('POST', '/runs', undefined, headersOf(tenant, { key }));
  expect(status).toBe(201);
  return body.id;
}

export function finishRun(
  tenant: Tenant,
  id: string,
  { abandon, key }: { abandon?: boolean; key?: string } = {},
) {
  const body = abandon === undefined ? undefined : { abandon };
  return tenant.call('POST', `/runs/${id}/finish`, body, headersOf(tenant, { key }));
}

/** A key of its own source, with all scopes but admin. */
export async function keyOf(
  tenant: Tenant,
  source: string,
): Promise<{ readonly id: string; readonly key: string }> {
  const { status, body } = await tenant.call('POST', '/keys', { scopes: ['sync', 'read'], label: source });
  expect([status, body.source]).toEqual([201, source]);
  return body;
}

/** An open explicit run without requests, except for what is passed. */
export const run = (tenant: Tenant, id: unknown, given: object = {}) => ({
  id,
  source: 'default',
  kind: 'explicit',
  mode: 'upsert',
  state: 'open',
  key_id: tenant.keyId,
  user: null,
  started_at: at(),
  ended_at: null,
  last_request_at: at(),
  requests: 0,
  failed_requests: 0,
  created: 0,
  updated: 0,
  archived: 0,
  restored: 0,
  unchanged: 0,
  skipped: 0,
  kept: 0,
  rejected: 0,
  missing: null,
  undo: null,
  ...given,
});

/** Waits until the requests of all runs are counted, up to a second later, and there are so many in all. */
export function requestsCounted(tenant: Tenant, expected: number): Promise<unknown> {
  return eventually(async () => {
    const runs: { requests: number }[] = (await tenant.get('/runs')).body.data;
    expect(runs.reduce((sum, { requests }) => sum + requests, 0)).toBe(expected);
  });
}
