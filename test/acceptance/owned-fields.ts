import { expect, vi } from 'vitest';
import { type FreshSource, freshIds } from './fresh-source.js';
import { asJson, freshId, type HttpResponse, send, sendWithNodeHttp, withKey } from './requests.js';
import { target } from './target.js';

export type Others = 'reject' | 'keep';

/** A new connection may reach any worker process, and each has its own copy of the settings. */
const CONNECTIONS = 12;

/** The name of an attribute that no other test uses. */
export const freshAttribute = () => `custom_${freshId('owned').replaceAll('-', '_')}`;

export function putAttribute(name: string, body: object, admin = target.keys.admin): Promise<HttpResponse> {
  return send(`/api/v2/attributes/${encodeURIComponent(name)}`, {
    method: 'PUT',
    headers: { ...asJson, ...withKey(admin) },
    body: JSON.stringify(body),
  });
}

/** What happens to a value of a source for an account that does not exist, according to a dry run. */
async function effectOn(source: FreshSource, record: object): Promise<Others | 'none'> {
  const { status, text } = await sendWithNodeHttp('/api/v2/accounts/import?dry_run=true', {
    headers: { ...asJson, ...withKey(source.key) },
    body: JSON.stringify([record]),
  });
  expect(status).toBe(200);
  const result = JSON.parse(text.split('\n')[0] ?? '');
  if (result.status === 'failed') return 'reject';
  return result.kept === undefined ? 'none' : 'keep';
}

/** Resolves when each worker process applies the owner of a field to another source. */
export async function ownerApplied(
  other: FreshSource,
  field: string,
  expected: Others | 'none',
  value: unknown = 'sample',
): Promise<void> {
  const effects = () =>
    Promise.all(freshIds(CONNECTIONS).map((account_id) => effectOn(other, { account_id, [field]: value })));
  await vi.waitFor(async () => expect(await effects()).toEqual(Array(CONNECTIONS).fill(expected)), {
    timeout: 30_000,
    interval: 50,
  });
}

/** Declares an attribute that the source owns, and waits until its owner applies to the other source. */
export async function ownAttribute(
  owner: FreshSource,
  other: FreshSource,
  others: Others,
  { type = 'text', sample = 'sample' as unknown } = {},
): Promise<string> {
  const name = freshAttribute();
  const { status } = await putAttribute(name, { type, owner: { source: owner.name, others } });
  expect(status).toBe(201);
  await ownerApplied(other, name, others, sample);
  return name;
}

/** The summary of a complete import without any effect, except for what is passed. */
export const importSummary = (given: object) => ({
  summary: {
    records: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    failed: 0,
    kept: 0,
    dry_run: false,
    is_complete: true,
    problem: null,
    ...given,
  },
});

/** Checks the counts of a run. Each worker process adds those of its requests up to a second later. */
export async function expectCounts(source: FreshSource, run: string, expected: object): Promise<void> {
  await vi.waitFor(
    async () => expect((await source.call('GET', `/runs/${run}`)).body).toMatchObject(expected),
    { timeout: 30_000, interval: 50 },
  );
}
