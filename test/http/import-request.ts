import { type ClientRequest, request } from 'node:http';

export const NDJSON = 'application/x-ndjson';
export const JSON_ARRAY = 'application/json';

export interface Target {
  /** URL of the server. */
  readonly url: string;
  readonly key: string;
}

export interface Summary {
  readonly records: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly failed: number;
  readonly kept: number;
  readonly dry_run: boolean;
  readonly is_complete: boolean;
  readonly problem: string | null;
}

export interface Imported {
  readonly lines: readonly Record<string, unknown>[];
  readonly summary: Summary;
}

/** A request whose body the test writes later. */
export function openImport({ url, key }: Target, type: string, query = ''): ClientRequest {
  return request(`${url}/api/v2/accounts/import${query}`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': type },
  });
}

export function post(
  { url, key }: Target,
  type: string,
  body: string | Buffer,
  query = '',
): Promise<Response> {
  return fetch(`${url}/api/v2/accounts/import${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': type },
    body,
  });
}

export async function importBody(target: Target, type: string, body: string, query = ''): Promise<Imported> {
  const answer = await post(target, type, body, query);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status}: ${text}`);
  return readAnswer(text);
}

export function readAnswer(text: string): Imported {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { lines: lines.slice(0, -1), summary: lines.at(-1).summary };
}

export const asLines = (records: readonly unknown[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** The two formats of a body. */
export const forms = [
  ['lines', NDJSON, asLines],
  ['an array', JSON_ARRAY, (records: readonly unknown[]) => JSON.stringify(records)],
] as const;
