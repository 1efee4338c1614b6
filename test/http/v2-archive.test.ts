import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { problemsIn } from '../support/verified.js';
import { headersOf, keyOf, kinds, upsert } from './run-requests.js';
import { archive, runOf, UNDO_REQUEST, undo } from './undo-requests.js';
import { account, at, eventually, invalid, NOON, type Tenant, useServer } from './v2-server.js';

const ids = (accounts: unknown[]) => accounts.map((one) => (one as { account_id: string }).account_id);

describe.each(databases)('an archived account on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const list = async (tenant: Tenant, query: string) => {
    const { status, body } = await tenant.get(`/accounts?${query}`);
    expect([status, body.next]).toEqual([200, null]);
    return ids(body.data);
  };
  const show = async (tenant: Tenant, id: string) => (await tenant.get(`/accounts/${id}`)).body;
  const history = async (tenant: Tenant, id: string) =>
    (await tenant.get(`/accounts/${id}/history`)).body.data;
  const period = (start: string, counts: object) => ({
    start,
    created: 0,
    updated: 0,
    archived: 0,
    restored: 0,
    deleted: 0,
    refused: 0,
    ...counts,
  });
  const expectStats = (tenant: Tenant, accounts: number, archived: number, ...data: object[]) =>
    eventually(async () =>
      expect((await tenant.get('/stats?unit=minute')).body).toEqual({
        accounts,
        archived,
        unit: 'minute',
        data,
      }),
    );

  it('keeps its values and history, and is found by its id', async () => {
    const acme = await server.tenant();
    const record = { account_id: 'a', name: 'A', parent_account_id: 'p', licenses: 1, extra: [{ b: null }] };
    const run = await runOf(acme, [record]);
    const before = await history(acme, 'a');
    server.now += 5;
    const { summary: said } = await undo(acme, run);
    expect(await show(acme, 'a')).toEqual(
      account('a', {
        name: 'A',
        parent_account_id: 'p',
        fields: { licenses: 1, extra: [{ b: null }] },
        undeclared: ['extra'],
        revision: 2,
        updated_at: at(5),
        archived_at: at(5),
      }),
    );
    const entry = {
      revision: 2,
      kind: 'archived',
      at: at(5),
      request_id: UNDO_REQUEST,
      key_id: acme.keyId,
      user: null,
      source: 'default',
      run_id: said.run_id,
      is_erased: false,
      changes: [],
    };
    expect(await history(acme, 'a')).toEqual([entry, ...before]);
    await eventually(async () =>
      expect((await acme.get('/changes')).body.data).toMatchObject([
        { account_id: 'a', kind: 'created' },
        { account_id: 'a', ...entry },
      ]),
    );
  });

  it('is in a listing only if it is asked for, with every sort and filter', async () => {
    const acme = await server.tenant();
    const tier = { type: 'text', indexed: true };
    expect((await acme.call('PUT', '/attributes/custom_Tier', tier)).status).toBe(201);
    const record = (account_id: string) => ({
      account_id,
      name: `Name ${account_id}`,
      parent_account_id: 'top',
      custom_Tier: 'gold',
      licenses: 3,
    });
    await acme.sync(record('x-live'));
    await archive(acme, record('x-old'));
    await eventually(async () =>
      expect((await acme.get('/attributes/custom_Tier')).body).toMatchObject({ index: 'ready' }),
    );
    const since = encodeURIComponent(at(-1));
    for (const query of [
      '',
      'sort=id',
      'sort=-id',
      'sort=name',
      'sort=-name',
      'sort=updated',
      'sort=-updated',
      'search=x',
      'search=name',
      'id_prefix=x',
      'name_prefix=name',
      'parent=top',
      'attribute=custom_Tier:gold',
      'attribute=licenses:3',
      `updated_since=${since}`,
      `updated_since=${since}&parent=top&name_prefix=name`,
    ]) {
      const listed = async (which: string) => (await list(acme, `${query}&${which}`)).sort();
      expect([query, await listed('')]).toEqual([query, ['x-live']]);
      expect([query, await listed('archived=exclude')]).toEqual([query, ['x-live']]);
      expect([query, await listed('archived=include')]).toEqual([query, ['x-live', 'x-old']]);
      expect([query, await listed('archived=only')]).toEqual([query, ['x-old']]);
      for (const [which, accounts] of [
        ['exclude', 1],
        ['include', 2],
        ['only', 1],
      ] as const)
        await eventually(async () =>
          expect([
            query,
            (await acme.get(`/accounts?${query}&count=true&archived=${which}`)).body.count,
          ]).toEqual([query, { accounts, is_exact: true }]),
        );
    }
    expect((await acme.get('/accounts?archived=only')).body.data).toEqual([await show(acme, 'x-old')]);
  });

  it('does not end the pages of a listing early', async () => {
    const acme = await server.tenant();
    const names = Array.from({ length: 9 }, (_, i) => ({ account_id: `a-${i}`, name: `N ${i}` }));
    await archive(acme, ...names.filter((_, i) => i % 3 !== 1));
    await acme.sync(...names.filter((_, i) => i % 3 === 1));
    for (const query of ['?', '?search=a', '?name_prefix=n', `?updated_since=${at(-1)}`]) {
      for (const limit of [1, 2]) {
        expect(ids(await acme.all(`/accounts${query}`, limit)).sort()).toEqual(['a-1', 'a-4', 'a-7']);
        expect(ids(await acme.all(`/accounts${query}&archived=only`, limit))).toHaveLength(6);
        expect(ids(await acme.all(`/accounts${query}&archived=include`, limit))).toHaveLength(9);
      }
    }
  });

  it.each(['yes', '', 'true', 'INCLUDE'])('is not asked for by archived=%s', async (value) => {
    const acme = await server.tenant();
    const answer = await acme.get(`/accounts?archived=${value}`);
    expect([answer.status, answer.body]).toEqual([
      400,
      invalid({ '/query/archived': 'must be one of exclude, include, only' }),
    ]);
  });

  it('is no child and not in a subtree, but an ancestor', async () => {
    const acme = await server.tenant();
    const parents = { top: 'root', below: 'middle' };
    for (const [account_id, parent_account_id] of Object.entries(parents))
      await acme.sync({ account_id, parent_account_id });
    await archive(acme, { account_id: 'middle', parent_account_id: 'top' });
    const children = async (id: string) =>
      (await acme.get(`/accounts/${id}/children`)).body.data.map(
        (one: { account_id: string; has_children: boolean }) => [one.account_id, one.has_children],
      );
    expect([await children('root'), await children('top')]).toEqual([[['top', false]], []]);
    const subtree = async (id: string): Promise<unknown[]> =>
      (await acme.get(`/accounts/${id}/subtree`)).body.data.map(
        (one: { depth: number; account: { account_id: string } }) => [one.depth, one.account.account_id],
      );
    expect(await subtree('top')).not.toContainEqual([1, 'middle']);
    const { data } = (await acme.get('/accounts/below/ancestors')).body;
    expect(data.slice(0, 2)).toMatchObject([
      { account_id: 'middle', archived_at: at(2) },
      { account_id: 'top', archived_at: null },
    ]);
    for (const part of ['children', 'subtree']) {
      const answer = await acme.get(`/accounts/top/${part}?archived=include`);
      expect([answer.status, answer.body]).toEqual([
        400,
        invalid({ '/query/archived': 'is not known here' }),
      ]);
    }
    await acme.sync({ account_id: 'middle' });
    expect([await children('root'), await children('top')]).toEqual([[['top', true]], [['middle', true]]]);
    expect(await subtree('top')).toEqual([
      [1, 'middle'],
      [2, 'below'],
    ]);
  });

  describe('that is sent again is restored', () => {
    const RECORD = { account_id: 'a', name: 'A' };

    it.each([
      ['without a change', { account_id: 'a' }, []],
      ['with the same values', RECORD, []],
      ['with another value', { account_id: 'a', name: 'B' }, [{ field: 'name', from: 'A', to: 'B' }]],
    ])('%s', async (_what, record, changes) => {
      const acme = await server.tenant();
      const crm = await keyOf(acme, 'crm');
      await archive(acme, RECORD);
      server.now += 5;
      const answer = await upsert(acme, record, { key: crm.key });
      expect([answer.status, answer.body, answer.headers['account-sync-result']]).toEqual([
        200,
        { success: true },
        'updated',
      ]);
      expect(await show(acme, 'a')).toEqual(
        account('a', {
          name: 'name' in record ? record.name : 'A',
          revision: 3,
          updated_at: at(5),
        }),
      );
      const [latest] = await history(acme, 'a');
      expect(latest).toMatchObject({ revision: 3, kind: 'restored', at: at(5), source: 'crm', changes });
      expect(await list(acme, '')).toEqual(['a']);
      expect(await list(acme, 'archived=only')).toEqual([]);
      const again = await upsert(acme, record, { key: crm.key });
      expect(again.headers['account-sync-result']).toBe('unchanged');
    });

    it('by a batch, which counts it as updated', async () => {
      const acme = await server.tenant();
      await archive(acme, RECORD, { account_id: 'b' });
      const answer = await upsert(acme, [RECORD, { account_id: 'a' }, { account_id: 'c' }]);
      expect([answer.status, answer.body, answer.headers['account-sync-result']]).toEqual([
        200,
        { success: true },
        'created=1, updated=1, unchanged=1',
      ]);
      expect(await list(acme, '')).toEqual(['a', 'c']);
    });

    it('by an import, whose line says updated; not by a dry run', async () => {
      const acme = await server.tenant();
      await archive(acme, RECORD);
      const send = async (query: string) => {
        const { body } = await server.app.inject({
          method: 'POST',
          url: `/api/v2/accounts/import${query}`,
          headers: { ...headersOf(acme, {}), 'content-type': 'application/x-ndjson' },
          payload: JSON.stringify(RECORD),
        });
        return body
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line));
      };
      const counts = { records: 1, created: 0, updated: 1, unchanged: 0, skipped: 0, failed: 0, kept: 0 };
      for (const dry_run of [true, false]) {
        expect(await send(`?dry_run=${dry_run}`)).toEqual([
          { index: 0, account_id: 'a', status: 'updated', changed: [] },
          { summary: { ...counts, dry_run, is_complete: true, problem: null } },
        ]);
        expect(await list(acme, '')).toEqual(dry_run ? [] : ['a']);
      }
      expect(await kinds(acme, 'a')).toEqual(['created', 'archived', 'restored']);
    });

    it('once, if many send it at the same time', async () => {
      const acme = await server.tenant();
      await archive(acme, RECORD);
      const answers = await Promise.all(Array.from({ length: 10 }, () => upsert(acme, RECORD)));
      const results = answers.map(({ headers }) => headers['account-sync-result']);
      expect(results.sort()).toEqual([...Array(9).fill('unchanged'), 'updated']);
      expect(await kinds(acme, 'a')).toEqual(['created', 'archived', 'restored']);
    });
  });

  it('is counted apart, also after it is restored', async () => {
    const acme = await server.tenant();
    const run = await runOf(acme, [[{ account_id: 'a' }, { account_id: 'b' }, { account_id: 'c' }]]);
    await acme.sync({ account_id: 'live' });
    const periods = [period(at(), { created: 4 })];
    await expectStats(acme, 4, 0, ...periods);
    server.now = NOON + 60_000;
    const { summary: first } = await undo(acme, run);
    periods.push(period(at(60_000), { archived: 3 }));
    await expectStats(acme, 1, 3, ...periods);
    server.now = NOON + 120_000;
    await acme.sync({ account_id: 'a' });
    periods.push(period(at(120_000), { restored: 1 }));
    await expectStats(acme, 2, 2, ...periods);
    server.now = NOON + 180_000;
    await undo(acme, String(first.run_id));
    periods.push(period(at(180_000), { restored: 2 }));
    await expectStats(acme, 4, 0, ...periods);
  });

  describe('that is deleted', () => {
    it('is erased, and leaves all counts right', async () => {
      const acme = await server.tenant();
      await acme.sync({ account_id: 'live' });
      await archive(acme, { account_id: 'a', name: 'A' }, { account_id: 'b' });
      expect((await acme.call('DELETE', '/accounts/a')).status).toBe(204);
      expect((await acme.get('/accounts/a')).status).toBe(404);
      expect(await list(acme, 'archived=include')).toEqual(['b', 'live']);
      const entries = await history(acme, 'a');
      expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual(['deleted', 'archived', 'created']);
      expect(JSON.stringify(entries)).not.toContain('"A"');
      await eventually(async () =>
        expect((await acme.get('/stats')).body).toMatchObject({ accounts: 1, archived: 1 }),
      );
      for (const [which, accounts] of [
        ['exclude', 1],
        ['include', 2],
        ['only', 1],
      ] as const) {
        const { count } = (await acme.get(`/accounts?count=true&archived=${which}`)).body;
        expect(count).toEqual({ accounts, is_exact: true });
      }
    });

    // So that created − archived + restored − deleted is by how much the number of accounts changes.
    it('counts as deleted in its period, and as restored: it leaves the archive', async () => {
      const acme = await server.tenant();
      await archive(acme, { account_id: 'a' });
      server.now = NOON + 60_000;
      await acme.call('DELETE', '/accounts/a');
      await eventually(async () =>
        expect((await acme.get('/stats?unit=minute')).body.data.at(-1)).toMatchObject({ start: at(60_000) }),
      );
      expect((await acme.get('/stats?unit=minute')).body).toEqual({
        accounts: 0,
        archived: 0,
        unit: 'minute',
        data: [period(at(), { created: 1, archived: 1 }), period(at(60_000), { restored: 1, deleted: 1 })],
      });
    });

    it('can be created anew, and is not archived then', async () => {
      const acme = await server.tenant();
      await archive(acme, { account_id: 'a', name: 'A' });
      await acme.call('DELETE', '/accounts/a');
      const answer = await upsert(acme, { account_id: 'a' });
      expect(answer.headers['account-sync-result']).toBe('created');
      expect(await show(acme, 'a')).toMatchObject({ name: null, archived_at: null });
      await eventually(async () =>
        expect((await acme.get('/stats')).body).toMatchObject({ accounts: 1, archived: 0 }),
      );
    });
  });

  it('leaves nothing for verify to report', async () => {
    expect(await problemsIn(server.databaseUrl)).toEqual([]);
  });
});
