import { describe, expect, it } from 'vitest';
import { expectStored } from './expectations.js';
import { operations } from './operations.js';
import { freshId, send, withKey } from './requests.js';
import { read, runOf, undo } from './runs.js';
import { target } from './target.js';

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Creates an account in a run, and archives it by undoing the run. */
async function archived(name: string): Promise<string> {
  const account_id = freshId();
  await undo(await runOf([{ account_id, name, licenses: 3 }]));
  return account_id;
}

const listed = async (id: string, query = '') =>
  (await read(`/accounts?id_prefix=${id}${query}`)).body.data.map(
    ({ account_id }: { account_id: string }) => account_id,
  );

describe('an archived account', () => {
  it('is found by its id, and listed only if it is asked for', async () => {
    const id = await archived('Acme');
    expect(await read(`/accounts/${id}`)).toEqual({
      status: 200,
      body: {
        account_id: id,
        parent_account_id: null,
        name: 'Acme',
        fields: { licenses: 3 },
        undeclared: [],
        revision: 2,
        created_at: TIMESTAMP,
        updated_at: TIMESTAMP,
        archived_at: TIMESTAMP,
      },
    });
    expect(await listed(id)).toEqual([]);
    expect(await listed(id, '&archived=include')).toEqual([id]);
    expect(await listed(id, '&archived=only')).toEqual([id]);
    const { body } = await read(`/accounts/${id}/history`);
    expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(['archived', 'created']);
  });

  it.each(operations)('is restored by $name, also without a change', async (operation) => {
    const account_id = await archived('Acme');
    await expectStored(operation, { account_id, name: 'Acme' }, 'updated');
    await expectStored(operation, { account_id, name: 'Acme' }, 'unchanged');
    const { body } = await read(`/accounts/${account_id}`);
    expect(body).toMatchObject({ name: 'Acme', revision: 3, archived_at: null });
    expect(await listed(account_id)).toEqual([account_id]);
    expect(await listed(account_id, '&archived=only')).toEqual([]);
  });

  it('is restored by an import', async () => {
    const account_id = await archived('Acme');
    const { text } = await send('/api/v2/accounts/import', {
      headers: { ...withKey(target.keys.plain), 'content-type': 'application/x-ndjson' },
      body: JSON.stringify({ account_id, licenses: 4 }),
    });
    expect(JSON.parse(text.split('\n')[0] ?? '')).toEqual({
      index: 0,
      account_id,
      status: 'updated',
      changed: ['licenses'],
    });
    expect(await listed(account_id)).toEqual([account_id]);
  });
});
