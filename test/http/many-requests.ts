import { expect } from 'vitest';
import type { Answer, Tenant } from './v2-server.js';

/** The lines of a response, by kind. */
export interface ManyLines {
  readonly progress: readonly Record<string, unknown>[];
  readonly rejected: readonly Record<string, unknown>[];
  readonly accounts: readonly Record<string, unknown>[];
  readonly summary: Record<string, unknown>;
}

/** Edits or deletes many accounts. The body of an accepted request is its lines. */
export async function requestMany(
  tenant: Tenant,
  action: 'edit' | 'delete',
  body: unknown,
  { key = tenant.key }: { readonly key?: string } = {},
): Promise<Answer> {
  const answer = await tenant.server.app.inject({
    method: 'POST',
    url: `/api/v2/accounts/${action}`,
    headers: { authorization: `Bearer ${key}`, 'x-request-id': 'r', 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
  const { statusCode: status, headers } = answer;
  return { status, headers, body: status === 200 ? readMany(answer.body) : JSON.parse(answer.body) };
}

/** The lines of a request that is accepted. */
export async function many(
  tenant: Tenant,
  action: 'edit' | 'delete',
  body: unknown,
  sender: { readonly key?: string } = {},
): Promise<ManyLines> {
  const answer = await requestMany(tenant, action, body, sender);
  expect([answer.status, answer.headers['content-type']]).toEqual([
    200,
    'application/x-ndjson; charset=utf-8',
  ]);
  return answer.body;
}

export function readMany(text: string): ManyLines {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const line of lines) expect(Object.keys(line)).toHaveLength(1);
  const last = lines.pop();
  expect(last).toEqual({ summary: expect.any(Object) });
  return {
    progress: lines.flatMap(({ progress }) => progress ?? []),
    rejected: lines.flatMap(({ rejected }) => rejected ?? []),
    accounts: lines.flatMap(({ account }) => account ?? []),
    summary: last.summary,
  };
}

/** The summary of a complete edit that changes nothing, except for what is passed. */
export const manySummary = (given: object = {}) => ({
  run_id: expect.stringMatching(/^\d+$/),
  matched: 0,
  updated: 0,
  archived: 0,
  restored: 0,
  deleted: 0,
  unchanged: 0,
  rejected: 0,
  kept: 0,
  dry_run: false,
  is_complete: true,
  code: null,
  problem: null,
  ...given,
});
