import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { at, eventually, invalid, type Tenant, useServer } from './v2-server.js';

describe.each(databases)('the feed of changes on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const read = async (tenant: Tenant, query = '') => (await tenant.get(`/changes?${query}`)).body;
  /** A change appears after all transactions that began before it have ended, including those of the statistics. */
  const readSo = async (tenant: Tenant, count: number, query = '') => {
    await eventually(async () => expect((await read(tenant, query)).data).toHaveLength(count));
    return read(tenant, query);
  };

  it('is empty for a new tenant', async () => {
    const acme = await server.tenant();
    expect(await read(acme)).toEqual({ data: [], next: '0~0', has_more: false });
    expect(await read(acme, 'after=latest')).toEqual({ data: [], next: '0~0', has_more: false });
    expect(await read(acme, 'last=20')).toEqual({ data: [], next: '0~0', has_more: false });
  });

  it('can start with the latest changes', async () => {
    const acme = await server.tenant();
    const other = await server.tenant();
    await acme.sync(...['a', 'b', 'c', 'd'].map((account_id) => ({ account_id })));
    await other.sync({ account_id: 'not-ours' });
    const { data, next } = await readSo(acme, 4);
    for (const last of [1, 2, 4, 5, 1000])
      expect(await read(acme, `last=${last}`)).toEqual({ data: data.slice(-last), next, has_more: false });
    await acme.sync({ account_id: 'e' });
    expect((await readSo(acme, 1, `after=${next}`)).data[0].account_id).toBe('e');
    expect(
      (await read(acme, 'last=2')).data.map(({ account_id }: { account_id: string }) => account_id),
    ).toEqual(['d', 'e']);
  });

  it('returns every change once, in order, from any position', async () => {
    const acme = await server.tenant();
    const other = await server.tenant();
    await acme.sync({ account_id: 'a', name: 'A' });
    await other.sync({ account_id: 'a', name: 'not ours' });
    server.now = Date.parse(at(1));
    await acme.sync({ account_id: 'b' }, { account_id: 'a', name: 'B' });
    const { data, next } = await readSo(acme, 3);
    const change = {
      cursor: expect.stringMatching(/^\d+~\d+$/),
      request_id: 'r',
      key_id: acme.keyId,
      user: null,
      source: 'default',
      run_id: expect.stringMatching(/^\d+$/),
      is_erased: false,
    };
    expect(data).toEqual([
      {
        ...change,
        account_id: 'a',
        revision: 1,
        kind: 'created',
        at: at(),
        changes: [{ field: 'name', from: null, to: 'A' }],
      },
      { ...change, account_id: 'b', revision: 1, kind: 'created', at: at(1), changes: [] },
      {
        ...change,
        account_id: 'a',
        revision: 2,
        kind: 'updated',
        at: at(2),
        changes: [{ field: 'name', from: 'A', to: 'B' }],
      },
    ]);
    expect(next).toBe(data[2].cursor);
    expect(await read(acme, `after=${next}`)).toEqual({ data: [], next, has_more: false });
    // Another position after the same change.
    const latest = await read(acme, 'after=latest');
    expect(latest.data).toEqual([]);
    expect(await read(acme, `after=${latest.next}`)).toEqual(latest);
    expect(await read(acme, 'after=0~0&limit=1')).toEqual({
      data: [data[0]],
      next: data[0].cursor,
      has_more: true,
    });
    expect(await read(acme, `after=${data[0].cursor}&limit=1000`)).toEqual({
      data: data.slice(1),
      next,
      has_more: false,
    });
    await acme.call('DELETE', '/accounts/b');
    const later = await readSo(acme, 1, `after=${next}`);
    expect(await read(acme, `after=${latest.next}`)).toEqual(later);
    expect(later.data).toEqual([
      {
        ...change,
        account_id: 'b',
        revision: 2,
        kind: 'deleted',
        at: at(3),
        run_id: null,
        is_erased: true,
        changes: [],
      },
    ]);
  });

  it.each([
    ['after=yesterday', { '/query/after': 'must be a cursor of this feed, or latest' }],
    ['after=1', { '/query/after': 'must be a cursor of this feed, or latest' }],
    ['after=-1~1', { '/query/after': 'must be a cursor of this feed, or latest' }],
    [
      'after=1-2',
      {
        '/query/after':
          'is a cursor of a version before 0.8.0: read all accounts once, and continue from latest',
      },
    ],
    ['after=1~9999999999999999', { '/query/after': 'must be a cursor of this feed, or latest' }],
    ['last=0', { '/query/last': 'must be >= 1' }],
    ['last=1001', { '/query/last': 'must be <= 1000' }],
    [
      'last=2&limit=3&after=0~1',
      { '/query/after': 'cannot be combined with last', '/query/limit': 'cannot be combined with last' },
    ],
    ['limit=1001&cursor=x', { '/query/cursor': 'is not known here', '/query/limit': 'must be <= 1000' }],
  ])('rejects %s', async (query, errors) => {
    const acme = await server.tenant();
    const answer = await acme.get(`/changes?${query}`);
    expect([answer.status, answer.body]).toEqual([400, invalid(errors as Record<string, string>)]);
  });

  it('rejects an invalid Last-Event-ID of a stream, and ignores it for a page', async () => {
    const acme = await server.tenant();
    const stream = await acme.get('/changes', { accept: 'text/event-stream', 'last-event-id': 'x' });
    expect([stream.status, stream.body]).toEqual([
      400,
      invalid({ '/headers/last-event-id': 'must be a cursor of this feed, or latest' }),
    ]);
    expect((await acme.get('/changes', { 'last-event-id': 'x' })).status).toBe(200);
  });
});
