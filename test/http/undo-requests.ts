import { expect } from 'vitest';
import { finishRun, headersOf, openRun, type Sender, upsert } from './run-requests.js';
import type { Answer, Tenant } from './v2-server.js';

export interface UndoBody {
  readonly dry_run?: boolean;
  readonly force?: boolean;
  readonly request_id?: string;
}

/** The lines of a response, by kind. */
export interface Undone {
  readonly progress: readonly Record<string, unknown>[];
  readonly conflicts: readonly Record<string, unknown>[];
  readonly summary: Record<string, unknown>;
}

/** The request id of undos, unless a test gives another one. */
export const UNDO_REQUEST = 'undo-request';

/** Requests an undo. The body of an accepted one is its lines. */
export async function requestUndo(
  tenant: Tenant,
  id: string,
  body?: unknown,
  sender: Sender = {},
): Promise<Answer> {
  const {
    statusCode,
    headers,
    body: text,
  } = await tenant.server.app.inject({
    method: 'POST',
    url: `/api/v2/runs/${id}/undo`,
    headers: {
      ...headersOf(tenant, { requestId: UNDO_REQUEST, ...sender }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: statusCode, headers, body: statusCode === 200 ? readUndo(text) : JSON.parse(text) };
}

/** Undoes a run, and returns what the response says. */
export async function undo(
  tenant: Tenant,
  id: string,
  body?: UndoBody,
  sender: Sender = {},
): Promise<Undone> {
  const answer = await requestUndo(tenant, id, body, sender);
  expect([answer.status, answer.headers['content-type']]).toEqual([
    200,
    'application/x-ndjson; charset=utf-8',
  ]);
  return answer.body;
}

export function readUndo(text: string): Undone {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const line of lines) expect(Object.keys(line)).toHaveLength(1);
  const last = lines.pop();
  expect(last).toEqual({ summary: expect.any(Object) });
  return {
    progress: lines.flatMap(({ progress }) => progress ?? []),
    conflicts: lines.flatMap(({ conflict }) => conflict ?? []),
    summary: last.summary,
  };
}

/** The summary of a complete undo without any effect, except for what is passed. */
export const summary = (undoes: string, given: object = {}) => ({
  run_id: expect.stringMatching(/^\d+$/),
  undoes,
  changes: 0,
  updated: 0,
  archived: 0,
  restored: 0,
  conflicts: 0,
  dry_run: false,
  is_complete: true,
  code: null,
  problem: null,
  ...given,
});

/** A conflict of a whole account, except for what is passed. */
export const conflict = (account_id: string, given: object = {}) => ({
  account_id,
  field: null,
  reason: 'changed',
  before: null,
  left: null,
  now: null,
  ...given,
});

/** Sends each body as one request of a new run, and finishes the run. Returns its id. */
export async function runOf(
  tenant: Tenant,
  bodies: readonly unknown[],
  { key }: { readonly key?: string } = {},
): Promise<string> {
  const run = await openRun(tenant, key);
  for (const [index, body] of bodies.entries()) {
    const answer = await upsert(tenant, body, { run, key, requestId: `${run}-${index + 1}` });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
  }
  expect((await finishRun(tenant, run, { ...(key !== undefined && { key }) })).status).toBe(200);
  return run;
}

/** Archives accounts, which have to be new ones: a run creates them, and is undone. */
export async function archive(tenant: Tenant, ...records: readonly Record<string, unknown>[]): Promise<void> {
  const run = await runOf(tenant, [records]);
  expect((await undo(tenant, run)).summary).toMatchObject({ archived: records.length, is_complete: true });
}
