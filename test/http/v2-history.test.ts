import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { account, at, eventually, invalid, problem, type Tenant, useServer } from './v2-server.js';

describe.each(databases)('the history of an account on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const change = (
    tenant: Tenant,
    revision: number,
    kind: string,
    given: {
      changes: { field: string; from: unknown; to: unknown }[];
      at?: string;
      is_erased?: boolean;
      run_id?: null;
    },
  ) => ({
    revision,
    kind,
    at: at(revision - 1),
    request_id: 'r',
    key_id: tenant.keyId,
    user: null,
    source: 'default',
    run_id: expect.stringMatching(/^\d+$/),
    is_erased: false,
    ...given,
  });

  it('lists each change, newest first, with the request and the key', async () => {
    const acme = await server.tenant();
    await acme.sync(
      { account_id: 'a', name: 'A', licenses: 1 },
      { account_id: 'a', name: 'A', licenses: 2, custom_X: [1, { y: null }] },
      { account_id: 'a', name: null },
    );
    const entries = [
      change(acme, 3, 'updated', { changes: [{ field: 'name', from: 'A', to: null }] }),
      change(acme, 2, 'updated', {
        changes: [
          { field: 'licenses', from: 1, to: 2 },
          { field: 'custom_X', from: null, to: [1, { y: null }] },
        ],
      }),
      change(acme, 1, 'created', {
        changes: [
          { field: 'name', from: null, to: 'A' },
          { field: 'licenses', from: null, to: 1 },
        ],
      }),
    ];
    expect((await acme.get('/accounts/%20A/history')).body).toEqual({
      data: entries,
      next: null,
      is_complete: true,
    });
    for (const limit of [1, 2, 3, 1000])
      expect(await acme.all('/accounts/a/history', limit)).toEqual(entries);
  });

  it('shows on every page whether older changes were removed', async () => {
    const acme = await server.tenant({ historyDays: 30 });
    const licenses = [1, 2, 3, 4, 5];
    await acme.sync(...licenses.map((value) => ({ account_id: 'a', licenses: value })), { account_id: 'b' });
    const all = (await acme.get('/accounts/a/history')).body.data;
    server.now += 29 * 86_400_000;
    await acme.sync({ account_id: 'a', name: 'A' }, { account_id: 'a', name: 'B' });
    const kept = (await acme.get('/accounts/a/history?limit=2')).body.data;
    await eventually(async () =>
      expect(await server.store.jobs.countChanges(acme.id, server.now)).toBe(true),
    );
    const inTwoDays = server.now + 2 * 86_400_000;
    const step = await server.store.jobs.prune({ what: 'history', tenantId: acme.id }, inTwoDays, 7);
    expect(step).toEqual({ removed: all.length, next: undefined });
    expect((await acme.get('/accounts/a/history')).body).toEqual({
      data: kept,
      next: null,
      is_complete: false,
    });
    expect(await acme.all('/accounts/a/history', 1)).toEqual(kept);
    expect((await acme.get('/accounts/a/history?field=licenses')).body).toEqual({
      data: [],
      next: null,
      is_complete: false,
    });
    expect((await acme.get('/accounts/b/history')).body).toMatchObject({ next: null, is_complete: true });
    // A reader of the feed with an older cursor gets the remaining changes: at least the last one of each account.
    const changes = (await acme.get('/changes')).body.data;
    expect(
      changes.map(({ account_id, revision }: Record<string, unknown>) => [account_id, revision]),
    ).toEqual([
      ['b', 1],
      ['a', 6],
      ['a', 7],
    ]);
  });

  it('exists for known accounts only, and accepts only its own cursors', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a', name: 'A' }, { account_id: 'a', name: 'B' }, { account_id: 'b' });
    const answer = await acme.get('/accounts/nobody/history');
    expect([answer.status, answer.body]).toEqual([
      404,
      problem(404, 'not_found', 'There is no account nobody.'),
    ]);
    const { next } = (await acme.get('/accounts/a/history?limit=1')).body;
    expect((await acme.get(`/accounts/b/history?cursor=${next}`)).body).toEqual(
      invalid({ '/query/cursor': 'must be the `next` of a page of this same listing' }),
    );
    const [listing] = JSON.parse(Buffer.from(next, 'base64url').toString());
    for (const key of [0, -1, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER]) {
      const cursor = Buffer.from(JSON.stringify([listing, key])).toString('base64url');
      expect((await acme.get(`/accounts/a/history?cursor=${cursor}`)).body).toEqual(
        invalid({ '/query/cursor': 'must be the `next` of a page of this same listing' }),
      );
    }
    expect((await acme.get('/accounts/a/history?limit=1001')).body).toEqual(
      invalid({ '/query/limit': 'must be <= 1000' }),
    );
  });

  it('lists only changes of one field, each in full', async () => {
    const acme = await server.tenant();
    await acme.sync(
      { account_id: 'a', name: 'A', licenses: 1 },
      { account_id: 'a', name: 'B' },
      { account_id: 'a', name: 'C', licenses: 2, '': 'odd' },
      { account_id: 'a', licenses: null },
    );
    const all = (await acme.get('/accounts/a/history')).body.data;
    const revisions = async (field: string) =>
      (await acme.get(`/accounts/a/history?field=${field}`)).body.data.map(
        (one: { revision: number }) => one.revision,
      );
    expect((await acme.get('/accounts/a/history?field=licenses')).body).toEqual({
      data: [all[0], all[1], all[3]],
      next: null,
      is_complete: true,
    });
    for (const limit of [1, 2, 3, 1000])
      expect(await acme.all('/accounts/a/history?field=licenses', limit)).toEqual([all[0], all[1], all[3]]);
    expect(await revisions('name')).toEqual([3, 2, 1]);
    expect(await revisions('')).toEqual([3]);
    for (const field of ['Licenses', 'toString', 'account_id']) expect(await revisions(field)).toEqual([]);
    // Erased values still count as changes of their field.
    await acme.call('DELETE', '/accounts/a');
    expect(await revisions('licenses')).toEqual([4, 3, 1]);
    expect(await revisions('name')).toEqual([5, 3, 2, 1]);
  });

  it('is scanned for a field in steps of a thousand changes', async () => {
    const acme = await server.tenant();
    const patches = Array.from({ length: 2_100 }, (_, i) => ({
      accountId: 'a',
      fields: i === 0 ? { licenses: 1 } : { custom_X: i },
    }));
    const request = { tenantId: acme.id, requestId: 'r', senderId: 'k', at: server.now, bytes: 1 };
    await server.store.upsert({ ...request, patches });
    const path = '/accounts/a/history?field=licenses';
    const first = (await acme.get(path)).body;
    expect(first).toEqual({ data: [], next: expect.any(String), is_complete: true });
    const second = (await acme.get(`${path}&cursor=${first.next}`)).body;
    expect(second).toEqual({ data: [], next: expect.any(String), is_complete: true });
    const third = (await acme.get(`${path}&cursor=${second.next}`)).body;
    expect([third.data.map((one: { revision: number }) => one.revision), third.next]).toEqual([[1], null]);
    for (const other of ['/accounts/a/history', '/accounts/a/history?field=name']) {
      const answer = await acme.get(`${other}${other.includes('?') ? '&' : '?'}cursor=${first.next}`);
      expect(answer.body).toEqual(
        invalid({ '/query/cursor': 'must be the `next` of a page of this same listing' }),
      );
    }
    expect((await acme.get('/accounts/a/history?field=a&field=b')).body).toEqual(
      invalid({ '/query/field': 'must be string' }),
    );
    expect((await acme.get('/accounts/nobody/history?field=a')).status).toBe(404);
  });

  it('of a deleted account keeps times, request ids and key ids, and no values', async () => {
    const acme = await server.tenant();
    const odd = { 'a "quoted" \\ name': { secret: ['secret'] }, 7: 'secret', ключ: 'secret', '': 'secret' };
    await acme.sync(
      { account_id: 'a', name: 'secret', parent_account_id: 'secret', ...odd },
      { account_id: 'a', name: null, licenses: 5 },
    );
    const { etag } = (await acme.get('/accounts/a')).headers;
    const deleted = await acme.call('DELETE', '/accounts/A');
    expect([deleted.status, deleted.body]).toEqual([204, undefined]);
    const erased = (field: string, from: string | null, to: string | null) => ({ field, from, to });
    const fields = ['7', 'parent_account_id', 'name', 'a "quoted" \\ name', 'ключ', ''];
    const { body } = await acme.get('/accounts/a/history');
    const byField = (entry: { changes: { field: string }[] }) => ({
      ...entry,
      changes: entry.changes.toSorted((a, b) => (a.field < b.field ? -1 : 1)),
    });
    expect({ ...body, data: body.data.map(byField) }).toEqual({
      data: [
        change(acme, 3, 'deleted', {
          at: at(2),
          run_id: null,
          is_erased: true,
          changes: [...fields.filter((field) => field !== 'name'), 'licenses'].map((field) =>
            erased(field, '[erased]', null),
          ),
        }),
        change(acme, 2, 'updated', {
          is_erased: true,
          changes: [erased('name', '[erased]', null), erased('licenses', null, '[erased]')],
        }),
        change(acme, 1, 'created', {
          is_erased: true,
          changes: fields.map((field) => erased(field, null, '[erased]')),
        }),
      ].map(byField),
      next: null,
      is_complete: true,
    });
    expect(JSON.stringify(body)).not.toContain('secret');
    expect((await acme.get('/accounts/a')).body).toEqual(problem(404, 'not_found', 'There is no account a.'));
    expect((await acme.get('/accounts/a', { 'if-none-match': String(etag) })).status).toBe(404);
  });

  it('continues its revisions if a deleted account is created again', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a', name: 'A', licenses: 1 });
    const { etag } = (await acme.get('/accounts/a')).headers;
    await acme.call('DELETE', '/accounts/a');
    await acme.sync({ account_id: 'a', name: 'A', licenses: 1 });
    const answer = await acme.get('/accounts/a');
    expect(answer.body).toEqual(
      account('a', {
        name: 'A',
        fields: { licenses: 1 },
        revision: 3,
        created_at: at(1),
        updated_at: at(1),
        archived_at: null,
      }),
    );
    expect(answer.headers.etag).not.toBe(etag);
    const { data } = (await acme.get('/accounts/a/history')).body;
    const kinds = data.map((one: { revision: number; kind: string; is_erased: boolean }) => [
      one.revision,
      one.kind,
      one.is_erased,
    ]);
    expect(kinds).toEqual([
      [3, 'created', false],
      [2, 'deleted', true],
      [1, 'created', true],
    ]);
    await acme.call('DELETE', '/accounts/a');
    const later = (await acme.get('/accounts/a/history')).body.data;
    expect(later.map((one: { kind: string; is_erased: boolean }) => [one.kind, one.is_erased])).toEqual([
      ['deleted', true],
      ['created', true],
      ['deleted', true],
      ['created', true],
    ]);
    expect(JSON.stringify(later)).not.toContain('"A"');
  });

  it('of a deletion is in the feed, and nothing else shows the account', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a', name: 'A', parent_account_id: 'p' }, { account_id: 'b' });
    await eventually(async () => expect((await acme.get('/stats')).body.accounts).toBe(2));
    await acme.call('DELETE', '/accounts/a');
    await eventually(async () => expect((await acme.get('/changes')).body.data).toHaveLength(3));
    const feed = (await acme.get('/changes')).body.data;
    expect(feed.map((one: Record<string, unknown>) => [one.account_id, one.kind, one.is_erased])).toEqual([
      ['a', 'created', true],
      ['b', 'created', false],
      ['a', 'deleted', true],
    ]);
    expect(feed[2].changes).toEqual(
      expect.arrayContaining([
        { field: 'name', from: '[erased]', to: null },
        { field: 'parent_account_id', from: '[erased]', to: null },
      ]),
    );
    for (const query of [
      '',
      '?sort=updated',
      '?sort=-updated',
      '?id_prefix=a',
      '?name_prefix=A',
      '?parent=p',
    ]) {
      const { body } = await acme.get(`/accounts${query}`);
      expect(JSON.stringify(body)).not.toContain('"a"');
    }
    expect((await acme.get('/accounts/p/children')).status).toBe(404);
    await eventually(async () => expect((await acme.get('/stats')).body.accounts).toBe(1));
  });

  it('has no second deletion', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a' });
    expect((await acme.call('DELETE', '/accounts/a')).status).toBe(204);
    for (const id of ['a', 'nobody']) {
      const answer = await acme.call('DELETE', `/accounts/${id}`);
      expect([answer.status, answer.body]).toEqual([
        404,
        problem(404, 'not_found', `There is no account ${id}.`),
      ]);
    }
    expect((await acme.get('/accounts/a/history')).body.data).toHaveLength(2);
  });

  it('of an account that is created and deleted concurrently ends with the deletion', async () => {
    const acme = await server.tenant();
    const request = { tenantId: acme.id, requestId: 'r', senderId: 'k', at: server.now, bytes: 1 };
    const patches = {
      create: { accountId: 'a', fields: { name: 'A' } },
      erase: { accountId: 'a', fields: {} },
    };
    const counts = await Promise.all([
      server.store.upsert({ ...request, patches: [patches.create] }),
      server.store.upsert({ ...request, patches: [{ ...patches.erase, erase: true }] }),
    ]);
    expect(counts.map(({ created, deleted }) => [created, deleted])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect((await acme.get('/accounts/a')).status).toBe(404);
    expect((await acme.get('/accounts')).body).toEqual({ data: [], next: null });
  });
});
