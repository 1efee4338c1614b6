import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { account, at, invalid, problem, type Tenant, useServer } from './v2-server.js';

const ids = (accounts: unknown[]) => accounts.map((one) => (one as { account_id: string }).account_id);

describe.each(databases)('the hierarchy on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  /** child → parent; written without validation, like accounts of older versions. */
  async function store(tenant: Tenant, parents: Record<string, string | null>): Promise<void> {
    const patches = Object.entries(parents).map(([accountId, parent]) => ({
      accountId,
      fields: { parent_account_id: parent },
    }));
    const request = { tenantId: tenant.id, patches, requestId: 'r', senderId: tenant.keyId, bytes: 1 };
    await server.store.upsert({ ...request, at: server.now });
  }

  describe('of children', () => {
    it('lists the children of an account, in pages', async () => {
      const acme = await server.tenant();
      await store(acme, { top: null, a: 'top', b: 'top', c: 'top', deeper: 'a' });
      const below = (id: string, has_children: boolean) =>
        account(id, { parent_account_id: 'top', has_children });
      expect((await acme.get('/accounts/TOP/children')).body).toEqual({
        data: [below('a', true), below('b', false), below('c', false)],
        next: null,
      });
      expect(ids(await acme.all('/accounts/top/children', 1))).toEqual(['a', 'b', 'c']);
      expect((await acme.get('/accounts/c/children')).body).toEqual({ data: [], next: null });
      await acme.call('DELETE', '/accounts/deeper');
      expect((await acme.get('/accounts/top/children?limit=1')).body.data).toEqual([below('a', false)]);
    });

    it('lists the children of a parent that is not stored, and is a 404 for unknown ids', async () => {
      const acme = await server.tenant();
      await store(acme, { a: 'gone/away' });
      expect((await acme.get('/accounts/gone%2FAway/children')).body).toEqual({
        data: [account('a', { parent_account_id: 'gone/away', has_children: false })],
        next: null,
      });
      const answer = await acme.get('/accounts/nobody/children');
      expect([answer.status, answer.body]).toEqual([
        404,
        problem(404, 'not_found', 'There is no account nobody, nor one below it.'),
      ]);
    });

    it('ends if the rest is removed meanwhile', async () => {
      const acme = await server.tenant();
      await store(acme, { a: 'gone', b: 'gone' });
      const { next } = (await acme.get('/accounts/gone/children?limit=1')).body;
      await store(acme, { a: null, b: null });
      expect((await acme.get(`/accounts/gone/children?cursor=${next}`)).body).toEqual({
        data: [],
        next: null,
      });
    });
  });

  describe('of ancestors', () => {
    const ancestors = async (tenant: Tenant, id: string) => {
      const { body } = await tenant.get(`/accounts/${id}/ancestors`);
      return { ...body, data: ids(body.data) };
    };

    it('lists all ancestors, nearest first', async () => {
      const acme = await server.tenant();
      await store(acme, { a: 'b', b: 'c', c: null });
      expect((await acme.get('/accounts/A/ancestors')).body).toEqual({
        data: [account('b', { parent_account_id: 'c' }), account('c')],
        missing_parent: null,
        cycle: null,
        is_complete: true,
      });
      expect(await ancestors(acme, 'c')).toEqual({
        data: [],
        missing_parent: null,
        cycle: null,
        is_complete: true,
      });
    });

    it('ends at a parent that is not stored, or was deleted', async () => {
      const acme = await server.tenant();
      await store(acme, { a: 'b', b: 'c', c: 'nobody' });
      const end = { missing_parent: 'nobody', cycle: null, is_complete: true };
      expect(await ancestors(acme, 'a')).toEqual({ data: ['b', 'c'], ...end });
      await acme.call('DELETE', '/accounts/c');
      expect(await ancestors(acme, 'a')).toEqual({ data: ['b'], ...end, missing_parent: 'c' });
    });

    it('ends at a cycle', async () => {
      const acme = await server.tenant();
      await store(acme, { self: 'self', a: 'b', b: 'a', x: 'y', y: 'z', z: 'x', below: 'y' });
      const end = { missing_parent: null, is_complete: true };
      expect(await ancestors(acme, 'self')).toEqual({ data: [], ...end, cycle: ['self', 'self'] });
      expect(await ancestors(acme, 'a')).toEqual({ data: ['b'], ...end, cycle: ['a', 'b', 'a'] });
      expect(await ancestors(acme, 'x')).toEqual({ data: ['y', 'z'], ...end, cycle: ['x', 'y', 'z', 'x'] });
      expect(await ancestors(acme, 'below')).toEqual({
        data: ['y', 'z', 'x'],
        ...end,
        cycle: ['y', 'z', 'x', 'y'],
      });
    });

    it('is marked as incomplete if it is too long', async () => {
      const acme = await server.tenant();
      await store(
        acme,
        Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`a-${i}`, i === 39 ? null : `a-${i + 1}`])),
      );
      expect(await ancestors(acme, 'a-0')).toEqual({
        data: Array.from({ length: 32 }, (_, i) => `a-${i + 1}`),
        missing_parent: null,
        cycle: null,
        is_complete: false,
      });
      expect((await ancestors(acme, 'a-7')).is_complete).toBe(true);
    });
  });

  describe('of a subtree', () => {
    const tree = {
      top: null,
      a: 'top',
      'a-1': 'a',
      'a-1-x': 'a-1',
      'a-2': 'a',
      b: 'top',
      c: 'top',
      'c-1': 'c',
    };
    const order = [
      [1, 'a'],
      [2, 'a-1'],
      [3, 'a-1-x'],
      [2, 'a-2'],
      [1, 'b'],
      [1, 'c'],
      [2, 'c-1'],
    ];
    const places = (data: unknown[]) =>
      (data as { depth: number; account: { account_id: string } }[]).map((one) => [
        one.depth,
        one.account.account_id,
      ]);

    it('lists all descendants, depth first, in pages of any size', async () => {
      const acme = await server.tenant();
      await store(acme, { ...tree, elsewhere: null });
      const { body } = await acme.get('/accounts/Top/subtree');
      expect(body).toEqual({
        data: order.map(([depth, id]) => ({
          depth,
          account: account(String(id), { parent_account_id: tree[id as keyof typeof tree] }),
        })),
        next: null,
        cycle: null,
      });
      for (const limit of [1, 2, 3, 6, 7, 1000])
        expect(places(await acme.all('/accounts/top/subtree', limit))).toEqual(order);
    });

    it('continues after a cursor whose account was deleted', async () => {
      const acme = await server.tenant();
      await store(acme, tree);
      const { next } = (await acme.get('/accounts/top/subtree?limit=2')).body;
      await acme.call('DELETE', '/accounts/a-1');
      const { body } = await acme.get(`/accounts/top/subtree?cursor=${next}`);
      expect(places(body.data).map(([, id]) => id)).toEqual(['a-1-x', 'a-2', 'b', 'c', 'c-1']);
    });

    it('reports a cycle that leads back to its root, and lists each descendant once', async () => {
      const acme = await server.tenant();
      await store(acme, { a: 'b', b: 'a', 'b-1': 'b', self: 'self', x: 'y', y: 'z', z: 'x' });
      expect((await acme.get('/accounts/a/subtree')).body).toEqual({
        data: [
          { depth: 1, account: account('b', { parent_account_id: 'a' }) },
          { depth: 2, account: account('b-1', { parent_account_id: 'b' }) },
        ],
        next: null,
        cycle: ['a', 'b', 'a'],
      });
      expect((await acme.get('/accounts/self/subtree')).body).toEqual({
        data: [],
        next: null,
        cycle: ['self', 'self'],
      });
      const { body } = await acme.get('/accounts/x/subtree');
      expect([places(body.data), body.cycle]).toEqual([
        [
          [1, 'z'],
          [2, 'y'],
        ],
        ['x', 'z', 'y', 'x'],
      ]);
      expect(places(await acme.all('/accounts/x/subtree', 1))).toEqual(places(body.data));
    });

    it('ends at the maximum depth', async () => {
      const acme = await server.tenant();
      const chain = Array.from({ length: 40 }, (_, i) => [`a-${i}`, i === 0 ? null : `a-${i - 1}`]);
      await store(acme, Object.fromEntries(chain));
      for (const limit of [1, 50]) expect(await acme.all('/accounts/a-0/subtree', limit)).toHaveLength(32);
    });

    it('may have many siblings', async () => {
      const acme = await server.tenant();
      const many = Array.from({ length: 250 }, (_, i) => `a-${1000 + i}`);
      await store(acme, { top: null, ...Object.fromEntries(many.map((id) => [id, 'top'])), deep: 'a-1150' });
      const expected = many.flatMap((id) => (id === 'a-1150' ? [id, 'deep'] : [id]));
      for (const limit of [100, 1000]) {
        const found = places(await acme.all('/accounts/top/subtree', limit));
        expect(found.map(([, id]) => id)).toEqual(expected);
      }
    });
  });

  it.each(['ancestors', 'subtree'])(
    'is a 404 for the %s of an account that is not stored',
    async (relation) => {
      const acme = await server.tenant();
      await store(acme, { a: 'named' });
      const answer = await acme.get(`/accounts/named/${relation}`);
      expect([answer.status, answer.body]).toEqual([
        404,
        problem(404, 'not_found', 'There is no account named.'),
      ]);
    },
  );

  it.each(['children', 'subtree'])('accepts for %s only cursors of the same listing', async (relation) => {
    const acme = await server.tenant();
    await store(acme, { a: null, b: null, 'a-1': 'a', 'a-2': 'a', 'b-1': 'b' });
    const other = relation === 'children' ? 'subtree' : 'children';
    const cursors = [
      (await acme.get(`/accounts/a/${other}?limit=1`)).body.next,
      (await acme.get(`/accounts/a/${relation}?limit=1`)).body.next,
    ];
    const rejection = invalid({ '/query/cursor': 'must be the `next` of a page of this same listing' });
    expect((await acme.get(`/accounts/a/${relation}?cursor=${cursors[0]}`)).body).toEqual(rejection);
    expect((await acme.get(`/accounts/b/${relation}?cursor=${cursors[1]}`)).body).toEqual(rejection);
    const limits = await acme.get(`/accounts/a/${relation}?limit=0&since=${at()}`);
    expect(limits.body).toEqual(
      invalid({ '/query/since': 'is not known here', '/query/limit': 'must be >= 1' }),
    );
  });
});
