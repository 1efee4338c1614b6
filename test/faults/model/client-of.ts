import type { Client } from './operation.js';
import { type ModelResponse, response } from './responses.js';
import { type Key, SOME_RUN } from './tenant-model.js';

/** The response headers that the model predicts. */
const HEADERS = [
  ...['account-sync-result', 'account-sync-kept'],
  ...['deprecation', 'link', 'www-authenticate', 'etag'],
];

export function clientOf(
  baseUrl: string,
  key: Key,
  requestId: string,
  { runOf, feedDelayMs }: Pick<Client, 'runOf' | 'feedDelayMs'>,
): Client {
  const request: Client['request'] = async (method, path, body, headers = {}) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const got = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key.secret}`, 'x-request-id': requestId, ...type, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const shown = Object.fromEntries([...got.headers].filter(([name]) => HEADERS.includes(name)));
    return response(got.status, read(await got.text(), got.headers.get('content-type') ?? ''), shown);
  };
  return { request, pages: (url, limit) => allPages(request, url, limit), runOf, feedDelayMs };
}

/** Sorts lists without a defined order, replaces the ids of runs, and reduces errors of an invalid request to their pointers. */
function read(text: string, type: string): unknown {
  if (text === '') return undefined;
  const sorted = (key: string, value: unknown) => {
    if (key === 'changed' || (key === 'undeclared' && typeof (value as unknown[])[0] === 'string'))
      return (value as string[]).toSorted();
    if (key === 'changes' && Array.isArray(value))
      return (value as { field: string }[]).toSorted((a, b) => (a.field < b.field ? -1 : 1));
    return (key === 'run_id' || key === 'undoes') && value !== null ? SOME_RUN : value;
  };
  if (type.startsWith('application/x-ndjson'))
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line, sorted));
  const body = JSON.parse(text, sorted);
  const isProblem = type.startsWith('application/problem+json') && body.errors.length > 0;
  return isProblem ? { pointers: body.errors.map(({ pointer }: { pointer: string }) => pointer) } : body;
}

async function allPages(request: Client['request'], url: string, limit: number): Promise<ModelResponse> {
  const first = await request('GET', `${url}limit=${limit}`);
  if (first.status !== 200) return first;
  const merged = { ...(first.body as Record<string, unknown> & { data: unknown[] }) };
  while (merged.next !== null) {
    const cursor = encodeURIComponent(String(merged.next));
    const { body } = await request('GET', `${url}limit=${limit}&cursor=${cursor}`);
    const { data, next, ...others } = body as typeof merged;
    if (data.length > limit) throw new Error(`A page of ${limit} has ${data.length} entries.`);
    const present = Object.entries(others).filter(([, value]) => value !== null);
    Object.assign(merged, Object.fromEntries(present), { data: [...merged.data, ...data], next });
  }
  return { ...first, body: merged };
}
