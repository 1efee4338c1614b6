import { expect } from 'vitest';
import { headersOf, upsert } from './run-requests.js';
import type { Answer, Tenant } from './v2-server.js';

/** The request id of finish requests, unless a test gives another one. */
export const FINISH_REQUEST = 'finish-request';

/** Opens a run that asks for missing accounts, and returns its id. */
export async function openAsking(
  tenant: Tenant,
  missing: 'archive' | 'report' = 'archive',
  key?: string,
): Promise<string> {
  const { status, body } = await tenant.call('POST', '/runs', { missing }, headersOf(tenant, { key }));
  expect(status).toBe(201);
  return body.id;
}

export function finishAsking(tenant: Tenant, id: string, body?: unknown, key?: string): Promise<Answer> {
  const headers = headersOf(tenant, { key, requestId: FINISH_REQUEST });
  return tenant.call('POST', `/runs/${id}/finish`, body, headers);
}

/** Sends accounts without fields as one batch, which has to be stored. */
export async function push(
  tenant: Tenant,
  ids: readonly string[],
  sender: { readonly run?: string; readonly key?: string | undefined } = {},
): Promise<void> {
  const batch = ids.map((account_id) => ({ account_id }));
  expect(await upsert(tenant, batch, sender)).toMatchObject({ status: 200, body: { success: true } });
}

/** Opens a run that archives, sends accounts in it, and finishes it; any share may be missing. */
export async function mirror(tenant: Tenant, ids: readonly string[], key?: string): Promise<Answer> {
  const run = await openAsking(tenant, 'archive', key);
  if (ids.length > 0) await push(tenant, ids, { run, key });
  const answer = await finishAsking(tenant, run, { max_missing_percent: 100 }, key);
  expect(answer).toMatchObject({ status: 200, body: { id: run, state: 'finished' } });
  return answer;
}

/** The ids of the accounts that are missing from a run. */
export async function missingFrom(tenant: Tenant, run: string): Promise<string[]> {
  const { status, body } = await tenant.get(`/runs/${run}/missing?limit=1000`);
  expect([status, body.next]).toEqual([200, null]);
  return body.data.map(({ account_id }: { account_id: string }) => account_id);
}

/** The ids of the accounts that are listed, so not archived. */
export async function liveIds(tenant: Tenant): Promise<string[]> {
  const entries = await tenant.all('/accounts', 1_000);
  return (entries as unknown as { account_id: string }[]).map(({ account_id }) => account_id);
}

/** Ids in their order: `a-0000`, `a-0001` and so on. */
export const numbered = (count: number, stem = 'a') =>
  Array.from({ length: count }, (_, i) => `${stem}-${String(i).padStart(4, '0')}`);
