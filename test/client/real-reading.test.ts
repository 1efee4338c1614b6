import { type Account, AccountSync, NotFoundError, RefusedError } from '@account-sync/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDirectory, Service } from '../support/service.js';
import { all } from './scripted-server.js';

let service: Service;
let client: AccountSync;
beforeAll(async () => {
  service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
  client = new AccountSync({ url: service.url, key: service.key });
  await client.upsert({ account_id: 'root', name: 'Root', licenses: 3, custom_X: 'y' });
  await client.upsert({ account_id: 'root', licenses: 4 });
  await client.upsert({ account_id: 'left', parent_account_id: 'root' });
  await client.upsert({ account_id: 'leaf', parent_account_id: 'left' });
  await client.upsert({ account_id: 'right', parent_account_id: 'root' });
  await client.upsert({ account_id: 'orphan', parent_account_id: 'nowhere' });
  await client.upsert({ account_id: 'chicken', parent_account_id: 'egg' });
  await client.upsert({ account_id: 'egg', parent_account_id: 'chicken' });
});
afterAll(() => service.stopAndRemove());

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const ids = (accounts: readonly Account[]) => accounts.map(({ account_id }) => account_id);

describe('the schema', () => {
  it('has the declared fields, and the undeclared fields that were sent', async () => {
    const { data } = await client.attributes();
    expect(data.map(({ name, type }) => [name, type])).toEqual([
      ['licenses', 'integer'],
      ['custom_Is_Valid', 'boolean'],
      ['custom_External_Created_On', 'date'],
      ['custom_External_Created_At', 'datetime'],
    ]);
    await expect
      .poll(async () => (await client.attributes()).undeclared)
      .toEqual([{ name: 'custom_X', accounts: 1, guess: 'text' }]);
  });
});

describe('an account', () => {
  it('is returned as stored, for any form of its id', async () => {
    expect(await client.get(' ROOT')).toEqual({
      account_id: 'root',
      parent_account_id: null,
      name: 'Root',
      fields: { licenses: 4, custom_X: 'y' },
      undeclared: ['custom_X'],
      revision: 2,
      created_at: TIMESTAMP,
      updated_at: TIMESTAMP,
      archived_at: null,
    });
    expect(await client.get('unknown')).toBeUndefined();
  });

  it.each(['..', '.', 'a/b?c#d', 'müller gmbh', '100%', '%2e%2e'])('may be called %s', async (id) => {
    await client.upsert({ account_id: id });
    expect(await client.get(id)).toMatchObject({ account_id: id });
    expect(await all(client.history(id))).toMatchObject([{ revision: 1, kind: 'created' }]);
    expect(await client.delete(id)).toBe(true);
    expect(await client.get(id)).toBeUndefined();
    expect(await client.delete(id)).toBe(false);
  });

  it('has a history, the newest first', async () => {
    const origin = {
      at: TIMESTAMP,
      request_id: expect.any(String),
      key_id: expect.any(String),
      user: null,
      source: 'default',
      run_id: expect.any(String),
      is_erased: false,
    };
    const [newest, oldest, ...rest] = await all(client.history('root'));
    expect(newest).toEqual({
      ...origin,
      revision: 2,
      kind: 'updated',
      changes: [{ field: 'licenses', from: 3, to: 4 }],
    });
    expect(oldest).toEqual({ ...origin, revision: 1, kind: 'created', changes: expect.any(Array) });
    expect(oldest?.changes).toContainEqual({ field: 'licenses', from: null, to: 3 });
    expect(rest).toEqual([]);
  });
});

describe('lists', () => {
  it('include all pages', async () => {
    const everything = ['chicken', 'egg', 'leaf', 'left', 'orphan', 'right', 'root'];
    expect(ids(await all(client.list({ limit: 2 })))).toEqual(everything);
    expect(ids(await all(client.list({ id_prefix: 'le', limit: 1 })))).toEqual(['leaf', 'left']);
    expect(ids(await all(client.list({ name_prefix: 'Roo' })))).toEqual(['root']);
    expect(ids(await all(client.list({ parent: 'root' })))).toEqual(['left', 'right']);
    expect(ids(await all(client.list({ search: 'R', limit: 1 })))).toEqual(['right', 'root']);
    expect(ids(await all(client.list({ sort: '-id', parent: 'root' })))).toEqual(['right', 'left']);
    expect(ids(await all(client.list({ sort: 'name', limit: 3 })))[0]).toBe('root');
    expect(ids(await all(client.list({ attribute: 'licenses:4' })))).toEqual(['root']);
    const both = ['licenses:4', 'custom_Is_Valid:true'];
    expect(ids(await all(client.list({ attribute: both })))).toEqual([]);
    const since = (await client.get('orphan'))?.updated_at as string;
    expect(ids(await all(client.list({ updated_since: since, sort: 'updated' })))).toContain('egg');
    expect(ids(await all(client.list({ sort: '-updated', limit: 3 }))).at(-1)).toBe('root');
  });

  it('reject a limit that is too large', async () => {
    const failure = await all(client.list({ limit: 1001 })).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RefusedError);
    expect(failure).toMatchObject({ status: 400, errors: { '/query/limit': [expect.any(String)] } });
  });
});

describe('the tree', () => {
  it('returns children and descendants', async () => {
    const children = await all(client.children('root'));
    expect(children.map((child) => [child.account_id, child.has_children])).toEqual([
      ['left', true],
      ['right', false],
    ]);
    expect(ids(await all(client.children('nowhere')))).toEqual(['orphan']);
    const subtree = client.subtree('root');
    const entries = (await all(subtree)).map(({ depth, account }) => [depth, account.account_id]);
    expect(entries).toEqual([
      [1, 'left'],
      [2, 'leaf'],
      [1, 'right'],
    ]);
    expect(subtree.cycle).toBeNull();
  });

  it('returns ancestors', async () => {
    const { data, ...rest } = await client.ancestors('leaf');
    expect(ids(data)).toEqual(['left', 'root']);
    expect(rest).toEqual({ missing_parent: null, cycle: null, is_complete: true });
    expect(await client.ancestors('orphan')).toMatchObject({ data: [], missing_parent: 'nowhere' });
  });

  it('may contain a cycle', async () => {
    const subtree = client.subtree('egg');
    await all(subtree);
    expect(subtree.cycle).toEqual(expect.arrayContaining(['egg', 'chicken']));
    expect((await client.ancestors('egg')).cycle).toEqual(expect.arrayContaining(['egg', 'chicken']));
  });

  it('rejects an unknown account', async () => {
    await expect(all(client.children('unknown'))).rejects.toBeInstanceOf(NotFoundError);
    await expect(all(client.subtree('unknown'))).rejects.toBeInstanceOf(NotFoundError);
    await expect(client.ancestors('unknown')).rejects.toBeInstanceOf(NotFoundError);
    await expect(all(client.history('unknown'))).rejects.toBeInstanceOf(NotFoundError);
  });
});
