import { expect } from 'vitest';
import { asJson, type HttpResponse, send, withKey } from './requests.js';
import { target } from './target.js';

export interface Undone {
  readonly conflicts: readonly unknown[];
  readonly summary: Record<string, unknown>;
}

export async function openRun(): Promise<string> {
  const { status, text } = await send('/api/v2/runs', { headers: withKey(target.keys.plain) });
  expect(status).toBe(201);
  return JSON.parse(text).id;
}

export async function finishRun(id: string): Promise<void> {
  const { status } = await send(`/api/v2/runs/${id}/finish`, { headers: withKey(target.keys.plain) });
  expect(status).toBe(200);
}

/** Sends each batch as one request of a new run, finishes the run, and returns its id. */
export async function runOf(...batches: readonly (readonly object[])[]): Promise<string> {
  const id = await openRun();
  for (const batch of batches) {
    const headers = { ...asJson, ...withKey(target.keys.plain), 'account-sync-run': id };
    const { text } = await send('/api/v1_1/accounts', { headers, body: JSON.stringify(batch) });
    expect(text).toBe('{"success":true}');
  }
  await finishRun(id);
  return id;
}

export function requestUndo(id: string, body?: object, key = target.keys.plain): Promise<HttpResponse> {
  const path = `/api/v2/runs/${id}/undo`;
  if (body === undefined) return send(path, { headers: withKey(key) });
  return send(path, { headers: { ...asJson, ...withKey(key) }, body: JSON.stringify(body) });
}

export async function undo(id: string, body?: object): Promise<Undone> {
  const { status, headers, text } = await requestUndo(id, body);
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { conflicts: lines.flatMap(({ conflict }) => conflict ?? []), summary: lines.at(-1).summary };
}

/** Reads from `/api/v2`. */
export async function read(path: string) {
  const { status, text } = await send(`/api/v2${path}`, {
    method: 'GET',
    headers: withKey(target.keys.readOnly),
  });
  return { status, body: JSON.parse(text) };
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
