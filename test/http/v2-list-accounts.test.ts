import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { account, at, eventually, invalid, type Tenant, useServer } from './v2-server.js';

const ids = (accounts: unknown[]) => accounts.map((one) => (one as { account_id: string }).account_id);

describe.each(databases)('the list of accounts on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const list = async (tenant: Tenant, query: string) => {
    const { status, body } = await tenant.get(`/accounts?${query}`);
    return status === 200 ? [ids(body.data), body.next] : body;
  };

  it('is empty for a new tenant', async () => {
    const acme = await server.tenant();
    expect((await acme.get('/accounts')).body).toEqual({ data: [], next: null });
    expect((await acme.get('/accounts?count=true')).body).toEqual({
      data: [],
      next: null,
      count: { accounts: 0, is_exact: true },
    });
  });

  it('is ordered by id, in byte order of UTF-8, in pages', async () => {
    const acme = await server.tenant();
    const sorted = ['a', 'a b', 'a-1', 'b', 'z', 'ä', 'я', '\ufffd', '👩'];
    await acme.sync(...[...sorted].reverse().map((account_id) => ({ account_id })));
    const { body } = await acme.get('/accounts');
    expect(body).toEqual({
      data: sorted.map((id, i) => account(id, { created_at: at(8 - i), updated_at: at(8 - i) })),
      next: null,
    });
    for (const limit of [1, 2, 8, 9, 1000]) expect(ids(await acme.all('/accounts', limit))).toEqual(sorted);
    const first = await acme.get('/accounts?limit=8');
    expect(first.body).toEqual({ data: body.data.slice(0, 8), next: expect.any(String) });
    expect((await acme.get(`/accounts?sort=id&cursor=${first.body.next}`)).body).toEqual({
      data: body.data.slice(8),
      next: null,
    });
  });

  it('has fifty entries per page by default', async () => {
    const acme = await server.tenant();
    const batch = Array.from({ length: 51 }, (_, i) => ({ accountId: `a-${100 + i}`, fields: {} }));
    await server.store.upsert({
      tenantId: acme.id,
      patches: batch,
      requestId: 'r',
      senderId: 'k',
      at: 1,
      bytes: 1,
    });
    const [shown, next] = await list(acme, '');
    expect([shown.length, typeof next]).toEqual([50, 'string']);
    expect(await list(acme, `cursor=${next}`)).toEqual([['a-150'], null]);
    await eventually(async () =>
      expect((await acme.get('/accounts?count=true&limit=1')).body.count).toEqual({
        accounts: 51,
        is_exact: true,
      }),
    );
  });

  it('is filtered by a prefix of the id, case-insensitive', async () => {
    const acme = await server.tenant();
    await acme.sync(
      ...['a', 'ab', 'abc', 'ab%', 'ac', 'äb', 'zo\u00eb'].map((account_id) => ({ account_id })),
    );
    expect(await list(acme, 'id_prefix=AB')).toEqual([['ab', 'ab%', 'abc'], null]);
    expect(await list(acme, 'id_prefix=ab%25')).toEqual([['ab%'], null]);
    expect(await list(acme, `id_prefix=${encodeURIComponent('ZOE\u0308')}`)).toEqual([['zo\u00eb'], null]);
    expect(await list(acme, 'id_prefix=x')).toEqual([[], null]);
    expect(ids(await acme.all('/accounts?id_prefix=a', 1))).toEqual(['a', 'ab', 'ab%', 'abc', 'ac']);
    const { body } = await acme.get('/accounts?id_prefix=ab&limit=1&count=true');
    expect(body.count).toEqual({ accounts: 3, is_exact: true });
  });

  it('is filtered by a prefix of the name, ordered by name, case-insensitive for A to Z', async () => {
    const acme = await server.tenant();
    const names = { e: 'acme', d: 'ACME', c: 'Acme Ä', b: 'acme ä', f: 'Äcme', g: 'äcme', h: 'Beta', i: '' };
    await acme.sync(...Object.entries(names).map(([account_id, name]) => ({ account_id, name })));
    await acme.sync({ account_id: 'nameless' });
    expect(await list(acme, 'name_prefix=aCmE')).toEqual([['d', 'e', 'c', 'b'], null]);
    expect(ids(await acme.all('/accounts?name_prefix=ACME', 1))).toEqual(['d', 'e', 'c', 'b']);
    expect(await list(acme, `name_prefix=${encodeURIComponent('Ä')}`)).toEqual([['f'], null]);
    expect(await list(acme, `name_prefix=${encodeURIComponent('äC')}`)).toEqual([['g'], null]);
    expect((await acme.get('/accounts?name_prefix=acme&count=true&limit=1')).body.count).toEqual({
      accounts: 4,
      is_exact: true,
    });
  });

  it('is filtered by parent', async () => {
    const acme = await server.tenant();
    const parents = { a: 'p', b: 'P ', c: 'q', p: null };
    for (const [account_id, parent_account_id] of Object.entries(parents))
      await acme.sync({ account_id, parent_account_id });
    expect(await list(acme, 'parent=%20P')).toEqual([['a', 'b'], null]);
    expect(ids(await acme.all('/accounts?parent=p', 1))).toEqual(['a', 'b']);
    expect(await list(acme, 'parent=nobody')).toEqual([[], null]);
    expect((await acme.get('/accounts?parent=p&count=true')).body.count).toEqual({
      accounts: 2,
      is_exact: true,
    });
  });

  it('has all accounts changed since a time, also if the clock was set back and passed it again', async () => {
    const acme = await server.tenant();
    const HOUR = 3_600_000;
    const begun = server.now;
    // Enough of each that the index of times has entries for them.
    const some = (name: string) =>
      Array.from({ length: 150 }, (_, i) => ({ account_id: `${name}-${100 + i}` }));
    for (const [name, hours] of Object.entries({ before: 0, since: 24, again: 1, after: 25 })) {
      server.now = begun + hours * HOUR;
      await acme.sync(...some(name));
    }
    const since = encodeURIComponent(new Date(begun + 2 * HOUR).toISOString());
    const expected = [...some('since'), ...some('after')].map(({ account_id }) => account_id);
    await eventually(async () =>
      expect(ids(await acme.all(`/accounts?updated_since=${since}`, 100))).toEqual(expected),
    );
  });

  it('is ordered by last change, in both directions, from the beginning or since a time', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a' }, { account_id: 'b' }, { account_id: 'c' });
    server.now += 60_000;
    await acme.sync({ account_id: 'a', name: 'later' });
    const since = encodeURIComponent(at(60_003));
    await eventually(async () => expect(await list(acme, 'sort=updated')).toEqual([['b', 'c', 'a'], null]));
    expect(await list(acme, 'sort=-updated')).toEqual([['a', 'c', 'b'], null]);
    for (const limit of [1, 2, 3]) {
      expect(ids(await acme.all('/accounts?sort=updated', limit))).toEqual(['b', 'c', 'a']);
      expect(ids(await acme.all('/accounts?sort=-updated', limit))).toEqual(['a', 'c', 'b']);
    }
    expect(await list(acme, `updated_since=${since}`)).toEqual([['a'], null]);
    expect(await list(acme, `updated_since=${since}&sort=updated`)).toEqual([['a'], null]);
    expect(await list(acme, `updated_since=${encodeURIComponent(at(2))}&sort=-updated`)).toEqual([
      ['a', 'c'],
      null,
    ]);
    expect(await list(acme, `updated_since=${encodeURIComponent(at(60_004))}`)).toEqual([[], null]);
    expect((await acme.get(`/accounts?updated_since=${since}&count=true`)).body).toEqual({
      data: [account('a', { name: 'later', revision: 2, updated_at: at(60_003) })],
      next: null,
      count: { accounts: 1, is_exact: true },
    });
    await eventually(async () =>
      expect((await acme.get('/accounts?sort=-updated&count=true')).body.count).toEqual({
        accounts: 3,
        is_exact: true,
      }),
    );
  });

  const named = {
    acme: 'Zebra',
    'acme-1': 'Acme One',
    other: 'acme two',
    berlin: 'ACME',
    far: 'Berlin Acme',
    nameless: null,
  };
  const syncNamed = (tenant: Tenant) =>
    tenant.sync(
      ...Object.entries(named).map(([account_id, name], i) => ({
        account_id,
        name,
        parent_account_id: i % 2 === 0 ? 'p' : null,
        licenses: i % 3,
      })),
    );

  it('finds accounts by a prefix of the id, then of the name, each once', async () => {
    const acme = await server.tenant();
    await syncNamed(acme);
    const found = ['acme', 'acme-1', 'berlin', 'other'];
    for (const text of ['Acme', '%20aCME']) expect(await list(acme, `search=${text}`)).toEqual([found, null]);
    for (const limit of [1, 2, 3, 4])
      expect(ids(await acme.all('/accounts?search=acme', limit))).toEqual(found);
    expect(await list(acme, 'search=acme%20t')).toEqual([['other'], null]);
    expect(await list(acme, 'search=berlin')).toEqual([['berlin', 'far'], null]);
    expect(await list(acme, 'search=acme&sort=-id')).toEqual([[...found].sort().reverse(), null]);
    expect(await list(acme, 'search=acme&sort=name')).toEqual([['berlin', 'acme-1', 'other', 'acme'], null]);
    expect((await acme.get('/accounts?search=acme&limit=1&count=true')).body).toEqual({
      data: [account('acme', { name: 'Zebra', parent_account_id: 'p', fields: { licenses: 0 } })],
      next: expect.any(String),
      count: { accounts: 4, is_exact: true },
    });
  });

  it('is ordered by id or name, in both directions, with unnamed accounts at the end', async () => {
    const acme = await server.tenant();
    await syncNamed(acme);
    const byId = ['acme', 'acme-1', 'berlin', 'far', 'nameless', 'other'];
    const byName = ['berlin', 'acme-1', 'other', 'far', 'acme'];
    const orders = {
      id: byId,
      '-id': byId.toReversed(),
      name: [...byName, 'nameless'],
      '-name': [...byName.toReversed(), 'nameless'],
    };
    for (const [sort, order] of Object.entries(orders)) {
      for (const limit of [1, 2, 5, 6, 50])
        expect([sort, ids(await acme.all(`/accounts?sort=${sort}`, limit))]).toEqual([sort, order]);
    }
    expect(await list(acme, 'name_prefix=acme&sort=id')).toEqual([['acme-1', 'berlin', 'other'], null]);
    expect(await list(acme, 'name_prefix=acme&sort=-name')).toEqual([['other', 'acme-1', 'berlin'], null]);
    expect(await list(acme, 'id_prefix=acme&sort=-id')).toEqual([['acme-1', 'acme'], null]);
  });

  it('combines filters with one another and with every order', async () => {
    const acme = await server.tenant();
    await syncNamed(acme);
    await eventually(async () => expect((await list(acme, 'sort=updated'))[0]).toHaveLength(6));
    const since = `updated_since=${encodeURIComponent(at(2))}`;
    const found = {
      'parent=p&search=acme': ['acme', 'other'],
      'parent=p&search=acme&sort=-updated': ['other', 'acme'],
      'parent=p&sort=name': ['other', 'far', 'acme'],
      'id_prefix=a&parent=p': ['acme'],
      'name_prefix=acme&parent=p': ['other'],
      'attribute=licenses:1': ['acme-1', 'far'],
      'attribute=licenses:1&attribute=custom_Is_Valid:true': [],
      'attribute=licenses:2&search=o': ['other'],
      [since]: ['other', 'berlin', 'far', 'nameless'],
      [`${since}&sort=id`]: ['berlin', 'far', 'nameless', 'other'],
      [`${since}&parent=p`]: ['far', 'other'],
      [`${since}&sort=-updated&attribute=licenses:2`]: ['nameless', 'other'],
    };
    for (const [query, expected] of Object.entries(found)) {
      expect([query, await list(acme, query)]).toEqual([query, [expected, null]]);
      expect([query, ids(await acme.all(`/accounts?${query}`, 1))]).toEqual([query, expected]);
      const { count } = (await acme.get(`/accounts?${query}&count=true&limit=1`)).body;
      expect([query, count]).toEqual([query, { accounts: expected.length, is_exact: true }]);
    }
  });

  it('scans a limited number of accounts per request, and continues with the cursor', async () => {
    const acme = await server.tenant();
    const patches = Array.from({ length: 12_000 }, (_, i) => ({
      accountId: `a-${100_000 + i}`,
      fields: { licenses: i % 6_000 === 5_999 ? 1 : 0 },
    }));
    const request = { tenantId: acme.id, requestId: 'r', senderId: 'k', at: 1, bytes: 1 };
    for (let i = 0; i < 12_000; i += 3_000)
      await server.store.upsert({ ...request, patches: patches.slice(i, i + 3_000) });
    const { body } = await acme.get('/accounts?attribute=licenses:1&count=true');
    expect(body).toEqual({ data: [], next: expect.any(String), count: { accounts: 1, is_exact: false } });
    const all = ['a-105999', 'a-111999'];
    expect(ids(await acme.all('/accounts?attribute=licenses:1', 50))).toEqual(all);
    expect(ids(await acme.all('/accounts?attribute=licenses:1&sort=-id', 50))).toEqual(all.toReversed());
    await eventually(async () =>
      expect(ids(await acme.all('/accounts?attribute=licenses:1&sort=updated', 50))).toEqual(all),
    );
  });

  it.each([
    ['id_prefix=%20', { '/query/id_prefix': 'must not be blank' }],
    ['limit=0', { '/query/limit': 'must be >= 1' }],
    ['limit=1001', { '/query/limit': 'must be <= 1000' }],
    ['limit=1.5', { '/query/limit': 'must be integer' }],
    ['limit=', { '/query/limit': 'must be integer' }],
    ['limit=1&limit=2', { '/query/limit': 'must be integer' }],
    ['sort=size', { '/query/sort': 'must be one of id, -id, name, -name, updated, -updated' }],
    ['search=', { '/query/search': 'must NOT have fewer than 1 characters' }],
    ['search=%20&parent=%20', { '/query/parent': 'must not be blank', '/query/search': 'must not be blank' }],
    ['search=a%00', { '/query/search': 'may not contain NUL' }],
    ['attribute=licenses:1&attribute=licenses:%00', { '/query/attribute': 'may not contain NUL' }],
    [`${'attribute=licenses:1&'.repeat(11)}`, { '/query/attribute': 'must NOT have more than 10 items' }],
    ['attribute=licenses:x', { '/query/attribute': 'the value is not a valid integer value' }],
    [
      'attribute=licenses:1&attribute=licenses&attribute=custom_U:1',
      {
        '/query/attribute/1': 'must have the form name:value',
        '/query/attribute/2': 'custom_U is not declared',
      },
    ],
    ['count=yes', { '/query/count': 'must be boolean' }],
    ['id_prefix=', { '/query/id_prefix': 'must NOT have fewer than 1 characters' }],
    [`name_prefix=${'x'.repeat(192)}`, { '/query/name_prefix': 'must NOT have more than 191 characters' }],
    ['parent=%00', { '/query/parent': 'may not contain NUL' }],
    ['name_prefix=a%00', { '/query/name_prefix': 'may not contain NUL' }],
    ['page=2&offset=1', { '/query/page': 'is not known here', '/query/offset': 'is not known here' }],
    [
      'updated_since=yesterday',
      { '/query/updated_since': 'must be a timestamp such as 2027-01-31T12:00:00Z' },
    ],
    [
      'updated_since=2027-02-30T12:00:00Z',
      { '/query/updated_since': 'must be a timestamp such as 2027-01-31T12:00:00Z' },
    ],
  ])('rejects %s with a pointer to each problem', async (query, errors) => {
    const acme = await server.tenant();
    const answer = await acme.get(`/accounts?${query}`);
    expect([answer.status, answer.body]).toEqual([400, invalid(errors)]);
  });

  it('accepts only cursors of the same listing, with parameters in any order', async () => {
    const acme = await server.tenant();
    await acme.sync(...['a', 'b', 'c'].map((id) => ({ account_id: id, name: id, parent_account_id: 'p' })));
    const since = 'updated_since=2027-01-01T00:00:00Z';
    const listings = [
      'sort=id',
      'id_prefix=p',
      'name_prefix=c',
      'parent=p',
      since,
      'sort=-updated',
      'sort=-id',
      'sort=name',
      'search=p',
    ];
    await acme.sync({ account_id: 'pa', name: 'ca' }, { account_id: 'pb', name: 'cb' });
    await eventually(async () => expect((await list(acme, 'sort=updated'))[0]).toHaveLength(5));
    const cursors = await Promise.all(
      listings.map(async (query) => (await acme.get(`/accounts?${query}&limit=1`)).body.next as string),
    );
    const children = (await acme.get('/accounts/p/children?limit=1')).body.next;
    const rejection = invalid({ '/query/cursor': 'must be the `next` of a page of this same listing' });
    for (const [i, query] of listings.entries()) {
      expect((await acme.get(`/accounts?cursor=${cursors[i]}&limit=1&${query}`)).status).toBe(200);
      const others = [...cursors.filter((_, j) => j !== i), children];
      for (const other of [...others, 'x', 'W10', `${cursors[i]?.slice(0, -3)}`]) {
        expect((await acme.get(`/accounts?${query}&cursor=${other}`)).body).toEqual(rejection);
      }
    }
    expect((await acme.get(`/accounts?id_prefix=P&sort=id&cursor=${cursors[1]}`)).status).toBe(200);
  });

  it('rejects a forged cursor', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a' }, { account_id: 'b' });
    await eventually(async () => expect((await list(acme, 'sort=updated'))[0]).toHaveLength(2));
    for (const query of ['limit=1', 'sort=updated&limit=1', 'sort=name&limit=1']) {
      const { next } = (await acme.get(`/accounts?${query}`)).body;
      const [name] = JSON.parse(Buffer.from(next, 'base64url').toString());
      for (const key of [
        1,
        'a',
        {},
        null,
        ['a', 'b', 'c'],
        [{}],
        ['a\0'],
        ['0', 'a\0'],
        ['2'],
        ['1', '1', '1', '1'],
      ]) {
        const cursor = Buffer.from(JSON.stringify([name, key])).toString('base64url');
        expect((await acme.get(`/accounts?${query}&cursor=${cursor}`)).status).toBe(400);
      }
    }
  });
});
