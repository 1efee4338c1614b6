import { expect } from 'vitest';
import { importRecords } from './run-requests.js';
import { type Answer, eventually, type Tenant } from './v2-server.js';

export type Others = 'reject' | 'keep';

export const putAttribute = (tenant: Tenant, name: string, body: object): Promise<Answer> =>
  tenant.call('PUT', `/attributes/${encodeURIComponent(name)}`, body);

/** Resolves when the owner of a field applies to another source, according to dry runs with its key. */
export async function ownerApplied(
  tenant: Tenant,
  field: string,
  { key, effect, sample = 'sample' }: { key: string; effect: Others | 'none'; sample?: unknown },
): Promise<void> {
  await eventually(async () => {
    const record = { account_id: 'never-stored', [field]: sample };
    const { failed, kept } = (await importRecords(tenant, [record], { query: '?dry_run=true', key })).body;
    expect({ failed, kept }).toEqual({
      failed: effect === 'reject' ? 1 : 0,
      kept: effect === 'keep' ? 1 : 0,
    });
  });
}

/** Makes a source the owner of a field, and waits until that applies to the key of another source. */
export async function own(
  tenant: Tenant,
  field: string,
  {
    source,
    key,
    others = 'reject',
    type = 'text',
    sample = 'sample',
  }: { source: string; key: string; others?: Others; type?: string; sample?: unknown },
): Promise<void> {
  const { status } = await putAttribute(tenant, field, { type, owner: { source, others } });
  expect([200, 201]).toContain(status);
  await ownerApplied(tenant, field, { key, effect: others, sample });
}

/** The body of the contract for a record with fields of another source. */
export function refusedBody(account_id: string, ...fields: string[]) {
  const messages = fields.map((field) => `Account ${account_id}, ${field} is read-only.`);
  return {
    success: false,
    errors: messages,
    errors_by_attributes: [Object.fromEntries(fields.map((field, i) => [field, [messages[i]]]))],
  };
}
