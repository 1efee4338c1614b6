import type { FastifyInstance } from 'fastify';
import { type Answer, answer } from './answers.js';
import type { Client } from './operation.js';
import type { Key } from './tenant-model.js';

/** Those that say something about what was done. */
const HEADERS = ['account-sync-result', 'deprecation', 'link', 'www-authenticate', 'etag'];

export function clientOf(app: FastifyInstance, key: Key, requestId: string, patienceMs: number): Client {
  const ask: Client['ask'] = async (method, url, body, headers = {}) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const got = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${key.secret}`, 'x-request-id': requestId, ...type, ...headers },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const known = HEADERS.filter((name) => got.headers[name] !== undefined);
    const shown = Object.fromEntries(known.map((name) => [name, String(got.headers[name])]));
    return answer(got.statusCode, read(got.body, String(got.headers['content-type'])), shown);
  };
  return { ask, pages: (url, limit) => allPages(ask, url, limit), patienceMs };
}

/** Lists whose order means nothing are sorted; of what is wrong with a request the places are enough. */
function read(text: string, type: string): unknown {
  if (text === '') return undefined;
  const sorted = (key: string, value: unknown) => {
    if (key === 'changed' || (key === 'undeclared' && typeof (value as unknown[])[0] === 'string'))
      return (value as string[]).toSorted();
    if (key === 'changes')
      return (value as { field: string }[]).toSorted((a, b) => (a.field < b.field ? -1 : 1));
    return value;
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

async function allPages(ask: Client['ask'], url: string, limit: number): Promise<Answer> {
  const first = await ask('GET', `${url}limit=${limit}`);
  if (first.status !== 200) return first;
  const merged = { ...(first.body as Record<string, unknown> & { data: unknown[] }) };
  while (merged.next !== null) {
    const cursor = encodeURIComponent(String(merged.next));
    const { body } = await ask('GET', `${url}limit=${limit}&cursor=${cursor}`);
    const { data, next, ...others } = body as typeof merged;
    if (data.length > limit) throw new Error(`A page of ${limit} has ${data.length} entries.`);
    const told = Object.entries(others).filter(([, value]) => value !== null);
    Object.assign(merged, Object.fromEntries(told), { data: [...merged.data, ...data], next });
  }
  return { ...first, body: merged };
}
