import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { many, manySummary, requestMany } from './many-requests.js';
import { own } from './owned-fields.js';
import { importRecords, keyOf, kinds } from './run-requests.js';
import { undo } from './undo-requests.js';
import { account, at, eventually, invalid, problem, type Tenant, useServer } from './v2-server.js';

describe.each(databases)('POST /accounts/edit on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const read = async (tenant: Tenant, id: string) =>
    (await tenant.get(`/accounts/${encodeURIComponent(id)}`)).body;

  async function withAccounts(count: number, fields: object = {}): Promise<Tenant> {
    const tenant = await server.tenant();
    const records = Array.from({ length: count }, (_, i) => ({
      account_id: `a-${i}`,
      tier: i % 2,
      ...fields,
    }));
    expect((await importRecords(tenant, records)).body).toMatchObject({ created: count });
    return tenant;
  }

  it('edits the accounts with these ids, each once', async () => {
    const acme = await withAccounts(4);
    const set = { name: 'New', fields: { tier: null, size: 'L' } };
    const { progress, rejected, accounts, summary } = await many(acme, 'edit', {
      ids: ['A-0', 'a-0', 'a-2', 'none'],
      set,
    });
    const run_id = summary.run_id;
    const counts = {
      run_id,
      matched: 3,
      updated: 2,
      archived: 0,
      restored: 0,
      deleted: 0,
      unchanged: 0,
      rejected: 1,
    };
    expect(progress).toEqual([{ ...counts, matched: 0, updated: 0, rejected: 0 }, counts]);
    expect(rejected).toEqual([{ account_id: 'none', reason: 'not_found', errors: {} }]);
    expect(accounts).toEqual([]);
    expect(summary).toEqual(manySummary({ ...counts }));
    for (const id of ['a-0', 'a-2']) {
      expect(await read(acme, id)).toEqual(
        account(id, { name: 'New', fields: { size: 'L' }, undeclared: ['size'], revision: 2 }),
      );
    }
    expect((await read(acme, 'a-1')).revision).toBe(1);
    expect((await acme.get('/accounts/none')).status).toBe(404);
    const { body: run } = await acme.get(`/runs/${run_id}`);
    expect(run).toMatchObject({
      kind: 'explicit',
      mode: 'update-only',
      state: 'finished',
      key_id: acme.keyId,
      requests: 1,
      failed_requests: 0,
      updated: 2,
      unchanged: 0,
      rejected: 1,
    });
  });

  it('reads large accounts in smaller pages', async () => {
    const acme = await server.tenant();
    const ids = Array.from({ length: 6 }, (_, i) => `large-${i}`);
    await acme.sync(...ids.map((account_id) => ({ account_id, text: 'x'.repeat(200_000) })));
    const { progress, summary } = await many(acme, 'edit', { ids: [...ids, 'none'], set: { name: 'New' } });
    expect(summary).toEqual(manySummary({ matched: 7, updated: 6, rejected: 1 }));
    expect(progress.map(({ matched }) => matched)).toEqual([0, 2, 4, 7]);
    await many(acme, 'edit', { ids, set: { archived: true } });
    const again = await many(acme, 'edit', { ids, set: { archived: true }, max_accounts: 3 });
    expect(again.summary).toMatchObject({ matched: 3, unchanged: 3, code: 'too_many_matching' });
  });

  it('edits all that match, page by page, and the run can be undone', async () => {
    const acme = await withAccounts(1_203);
    const set = { fields: { tier: 5 } };
    const { progress, summary } = await many(acme, 'edit', { matching: { attribute: undefined }, set });
    expect(summary).toEqual(manySummary({ matched: 1_203, updated: 1_203 }));
    expect(progress.map(({ matched }) => matched)).toEqual([0, 500, 1_000, 1_203]);
    expect((await read(acme, 'a-7')).fields).toEqual({ tier: 5 });
    const undone = await undo(acme, String(summary.run_id));
    expect(undone.summary).toMatchObject({ updated: 1_203, conflicts: 0, is_complete: true });
    expect((await read(acme, 'a-7')).fields).toEqual({ tier: 1 });
  });

  it('selects with the filters of the list', async () => {
    const acme = await withAccounts(4);
    await acme.call('PUT', '/attributes/custom_Tier', { type: 'integer' });
    await acme.sync(
      { account_id: 'x-1', name: 'Ex One', parent_account_id: 'a-0', custom_Tier: 1 },
      { account_id: 'x-2', name: 'Ex Two', parent_account_id: 'a-0', custom_Tier: 2 },
      { account_id: 'x-3', name: 'Why', parent_account_id: 'a-1', custom_Tier: 1 },
    );
    const count = async (matching: object) =>
      (await many(acme, 'edit', { matching, set: { name: 'Any' }, dry_run: true })).summary.matched;
    expect(await count({})).toBe(7);
    expect(await count({ parent: 'A-0' })).toBe(2);
    expect(await count({ id_prefix: 'x' })).toBe(3);
    expect(await count({ name_prefix: 'ex' })).toBe(2);
    expect(await count({ search: 'ex' })).toBe(2);
    expect(await count({ attribute: ['custom_Tier:1'] })).toBe(2);
    expect(await count({ attribute: ['custom_Tier:1'], parent: 'a-0' })).toBe(1);
    expect(await count({ updated_since: at(1) })).toBe(2);
    expect(await count({ archived: 'only' })).toBe(0);
    await many(acme, 'edit', { ids: ['x-1'], set: { archived: true } });
    expect(await count({ archived: 'only' })).toBe(1);
    expect(await count({ parent: 'a-0' })).toBe(1);
    expect(await count({ parent: 'a-0', archived: 'include' })).toBe(2);
  });

  it('edits an account that leaves the filter by its edit, and those behind it', async () => {
    const acme = await withAccounts(600, { parent_account_id: 'old' });
    const { summary } = await many(acme, 'edit', {
      matching: { parent: 'old' },
      set: { parent_account_id: 'new' },
    });
    expect(summary).toEqual(manySummary({ matched: 600, updated: 600 }));
    const rest = await many(acme, 'edit', { matching: { parent: 'old' }, set: { name: 'None' } });
    expect(rest.summary).toEqual(manySummary());
  });

  it('archives and restores', async () => {
    const acme = await withAccounts(3);
    const ids = ['a-0', 'a-1'];
    const archived = await many(acme, 'edit', { ids, set: { archived: true } });
    expect(archived.summary).toEqual(manySummary({ matched: 2, archived: 2 }));
    const all = await many(acme, 'edit', { ids: [...ids, 'a-2'], set: { archived: false } });
    expect(all.summary).toEqual(manySummary({ matched: 3, restored: 2, unchanged: 1 }));
    expect(await kinds(acme, 'a-0')).toEqual(['created', 'archived', 'restored']);
    const { body: run } = await acme.get(`/runs/${all.summary.run_id}`);
    expect(run).toMatchObject({ restored: 2, unchanged: 1 });
  });

  it('shows what it would do in a dry run, the first accounts with their changes', async () => {
    const acme = await withAccounts(50);
    const { accounts, rejected, progress, summary } = await many(acme, 'edit', {
      matching: {},
      set: { fields: { tier: 1 } },
      dry_run: true,
    });
    expect(summary).toEqual(
      manySummary({ run_id: null, matched: 50, updated: 25, unchanged: 25, dry_run: true }),
    );
    expect(accounts).toHaveLength(20);
    expect(accounts[0]).toEqual({
      account_id: 'a-0',
      name: null,
      outcome: 'updated',
      changes: [{ field: 'tier', from: 0, to: 1 }],
    });
    expect([rejected, progress.at(-1)?.run_id]).toEqual([[], null]);
    expect((await read(acme, 'a-0')).revision).toBe(1);
    expect((await acme.get('/runs')).body.data).toHaveLength(1);
  });

  it('stops before more accounts than it may change', async () => {
    const acme = await withAccounts(600);
    const body = { matching: {}, set: { name: 'New' }, max_accounts: 550 };
    const { summary } = await many(acme, 'edit', body);
    expect(summary).toEqual(
      manySummary({
        matched: 550,
        updated: 550,
        is_complete: false,
        code: 'too_many_matching',
        problem:
          'More accounts match than the 550 that the request allows. It has stopped there: look again at which match.',
      }),
    );
    expect((await acme.get(`/runs/${summary.run_id}`)).body).toMatchObject({
      state: 'abandoned',
      updated: 550,
      failed_requests: 1,
    });
    expect((await many(acme, 'edit', { ...body, max_accounts: 600 })).summary).toEqual(
      manySummary({ matched: 600, updated: 50, unchanged: 550 }),
    );
  });

  it('changes none if none may be changed, which is what a dry run without matches allows', async () => {
    const acme = await withAccounts(2);
    const set = { name: 'New' };
    const none = await many(acme, 'edit', { matching: { parent: 'none' }, set, max_accounts: 0 });
    expect(none.summary).toEqual(manySummary({ matched: 0 }));
    const { summary } = await many(acme, 'edit', { matching: {}, set, max_accounts: 0 });
    expect(summary).toMatchObject({ matched: 0, updated: 0, code: 'too_many_matching' });
    expect((await read(acme, 'a-0')).name).toBeNull();
  });

  it('allows as many accounts as exist, however many ids are unknown', async () => {
    const acme = await withAccounts(2);
    const unknown = Array.from({ length: 700 }, (_, i) => `none-${i}`);
    const body = { ids: [...unknown, 'a-0', 'a-1'], set: { name: 'New' } };
    expect((await many(acme, 'edit', { ...body, max_accounts: 2 })).summary).toEqual(
      manySummary({ matched: 702, updated: 2, rejected: 700 }),
    );
    expect((await many(acme, 'edit', { ...body, max_accounts: 1 })).summary).toMatchObject({
      matched: 701,
      unchanged: 1,
      code: 'too_many_matching',
    });
  });

  it('writes large values in smaller pages, and shows fewer accounts in a dry run', async () => {
    const acme = await withAccounts(5);
    const body = { matching: {}, set: { fields: { text: 'x'.repeat(300_000) } } };
    const tried = await many(acme, 'edit', { ...body, dry_run: true });
    expect(tried.accounts.map(({ account_id }) => account_id)).toEqual(['a-0', 'a-1']);
    const { progress, summary } = await many(acme, 'edit', body);
    expect(progress.map(({ matched }) => matched)).toEqual([0, 3, 5]);
    expect(summary).toEqual(manySummary({ matched: 5, updated: 5 }));
  });

  it.each(['edit', 'delete'] as const)(
    'of %s takes no dry run in the URL, and no run in a header',
    async (action) => {
      const acme = await withAccounts(1);
      const send = async (query: string, headers: Record<string, string>) => {
        const { body } = await acme.server.app.inject({
          method: 'POST',
          url: `/api/v2/accounts/${action}${query}`,
          headers: { authorization: `Bearer ${acme.key}`, 'x-request-id': 'r', ...headers },
          payload: { ids: ['a-0'], ...(action === 'edit' && { set: { name: 'New' } }) },
        });
        return JSON.parse(body);
      };
      expect(await send('?dry_run=true', {})).toEqual(invalid({ '/query/dry_run': 'is not known here' }));
      const detail =
        'cannot be sent here: an edit of many accounts is a run of its own, and a deletion is no run';
      expect(await send('', { 'account-sync-run': '1' })).toEqual(
        invalid({ '/headers/account-sync-run': detail }),
      );
      expect((await read(acme, 'a-0')).revision).toBe(1);
    },
  );

  it('rejects accounts independently, with the messages of each', async () => {
    const acme = await withAccounts(3);
    await acme.call('POST', '/blocked-ids', { pattern: 'a-1' });
    const { rejected, summary } = await many(acme, 'edit', {
      matching: {},
      set: { parent_account_id: 'a-0' },
    });
    expect(rejected).toEqual([
      {
        account_id: 'a-0',
        reason: 'invalid',
        errors: { parent_account_id: ["account_id and parent_account_id can't be same."] },
      },
      { account_id: 'a-1', reason: 'invalid', errors: { account_id: ['account_id blocked by system.'] } },
    ]);
    expect(summary).toEqual(manySummary({ matched: 3, updated: 1, rejected: 2 }));
  });

  it('follows ownership', async () => {
    const acme = await server.tenant();
    const [billing, crm] = [await keyOf(acme, 'billing'), await keyOf(acme, 'crm')];
    await acme.sync(
      { account_id: 'a', custom_Plan: 'gold', licenses: 1 },
      { account_id: 'b', custom_Plan: 'free', licenses: 2 },
    );
    await own(acme, 'custom_Plan', { source: 'billing', key: crm.key });
    await own(acme, 'licenses', {
      source: 'billing',
      key: crm.key,
      others: 'keep',
      type: 'integer',
      sample: 1,
    });
    const body = { ids: ['a', 'b'], set: { name: 'New', fields: { custom_Plan: 'gold', licenses: 1 } } };
    for (const dry_run of [true, false]) {
      const { rejected, summary } = await many(acme, 'edit', { ...body, dry_run }, { key: crm.key });
      expect(rejected).toEqual([
        {
          account_id: 'b',
          reason: 'invalid',
          errors: { custom_Plan: ['Account b, custom_Plan is read-only.'] },
        },
      ]);
      expect(summary).toMatchObject({ matched: 2, updated: 1, rejected: 1, kept: 0 });
    }
    const kept = { ids: ['b'], set: { fields: { licenses: 7 } } };
    const { summary } = await many(acme, 'edit', kept, { key: crm.key });
    expect(summary).toEqual(manySummary({ matched: 1, unchanged: 1, kept: 1 }));
    const byOwner = await many(acme, 'edit', body, { key: billing.key });
    expect(byOwner.summary).toMatchObject({ updated: 1, unchanged: 1, rejected: 0, kept: 0 });
  });

  it.each([
    [{ set: { name: 'A' } }, { '/body': 'must have either ids or matching' }],
    [{ ids: ['a'], matching: {}, set: { name: 'A' } }, { '/body': 'must have either ids or matching' }],
    [{ ids: ['a'] }, { '/body/set': 'is missing' }],
    [{ ids: ['a'], set: {} }, { '/body/set': 'must NOT have fewer than 1 properties' }],
    [{ ids: [], set: { name: 'A' } }, { '/body/ids': 'must NOT have fewer than 1 items' }],
    [{ ids: 'a', set: { name: 'A' } }, { '/body/ids': 'must be array' }],
    [{ ids: [7], set: { name: 'A' } }, { '/body/ids/0': 'must be string' }],
    [{ matching: { limit: 5 }, set: { name: 'A' } }, { '/body/matching/limit': 'is not known here' }],
    [{ matching: { attribute: 'x:1' }, set: { name: 'A' } }, { '/body/matching/attribute': 'must be array' }],
    [
      { matching: { attribute: ['x:1'] }, set: { name: 'A' } },
      { '/body/matching/attribute': 'x is not declared' },
    ],
    [{ matching: { parent: ' ' }, set: { name: 'A' } }, { '/body/matching/parent': 'must not be blank' }],
    [{ matching: { search: 'a\0' }, set: { name: 'A' } }, { '/body/matching/search': 'may not contain NUL' }],
    [
      { matching: { updated_since: 'now' }, set: { name: 'A' } },
      { '/body/matching/updated_since': 'must be a timestamp such as 2027-01-31T12:00:00Z' },
    ],
    [{ ids: ['a'], set: { name: 7 } }, { '/body/set/name': 'The name must be a string.' }],
    [
      { ids: ['a'], set: { fields: { licenses: 'ten' } } },
      { '/body/set/fields/licenses': 'The field licenses has invalid integer value.' },
    ],
    [
      { ids: ['a'], set: { fields: { name: 'A' } } },
      { '/body/set/fields/name': 'must be beside fields: /body/set/name' },
    ],
    [
      { ids: ['a'], set: { fields: { account_id: 'b' } } },
      { '/body/set/fields/account_id': 'cannot be changed' },
    ],
    [{ ids: ['a'], set: { name: 'A' }, max_accounts: -1 }, { '/body/max_accounts': 'must be >= 0' }],
    [
      { ids: ['a'], set: { licenses: 30 } },
      { '/body/set/licenses': 'is not known here; fields of accounts are in /body/set/fields' },
    ],
    [{ ids: ['a'], set: { name: 'A' }, dry: true }, { '/body/dry': 'is not known here' }],
  ])('rejects %j', async (body, errors) => {
    const acme = await withAccounts(1);
    expect((await requestMany(acme, 'edit', body)).body).toEqual(invalid(errors as Record<string, string>));
    expect((await acme.get('/runs')).body.data).toHaveLength(1);
  });

  it('touches no account of another tenant', async () => {
    const [acme, other] = [await withAccounts(2), await withAccounts(3)];
    await many(acme, 'edit', { matching: {}, set: { name: 'Mine' } });
    const { rejected } = await many(acme, 'edit', { ids: ['a-2'], set: { name: 'Mine' } });
    expect(rejected).toEqual([{ account_id: 'a-2', reason: 'not_found', errors: {} }]);
    for (const id of ['a-0', 'a-1', 'a-2']) expect((await read(other, id)).name).toBeNull();
  });

  it('leaves accounts alone that change between their page and the write', async () => {
    const acme = await withAccounts(400);
    const edits = many(acme, 'edit', { matching: {}, set: { fields: { tier: 9 } } });
    const others = importRecords(
      acme,
      Array.from({ length: 400 }, (_, i) => ({ account_id: `a-${i}`, name: 'Theirs' })),
    );
    const [{ rejected, summary }] = await Promise.all([edits, others]);
    expect(new Set(rejected.map(({ reason }) => reason)).size).toBeLessThan(2);
    for (const { reason } of rejected) expect(reason).toBe('changed');
    const { updated, rejected: count } = summary as { updated: number; rejected: number };
    expect(updated + count).toBe(400);
    const stored = (await acme.all('/accounts', 200)) as { name: string; fields: { tier: number } }[];
    expect(stored.filter(({ name }) => name === 'Theirs')).toHaveLength(400);
    expect(stored.filter(({ fields }) => fields.tier === 9)).toHaveLength(updated);
  });
});

describe.each(databases)('POST /accounts/delete on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  async function withRejected(count: number): Promise<Tenant> {
    const tenant = await server.tenant();
    const records = Array.from({ length: count }, (_, i) => ({ account_id: `a-${i}`, name: `Name ${i}` }));
    await importRecords(tenant, [...records, { account_id: 'a-0', licenses: 'x' }]);
    await eventually(async () => expect((await tenant.get('/rejections')).body.data).toHaveLength(1));
    return tenant;
  }

  it('erases accounts, their histories and rejections', async () => {
    const acme = await withRejected(3);
    const { rejected, progress, summary } = await many(acme, 'delete', { ids: ['a-0', 'A-1', 'none'] });
    expect(summary).toEqual(manySummary({ run_id: null, matched: 3, deleted: 2, rejected: 1 }));
    expect(progress).toHaveLength(2);
    expect(rejected).toEqual([{ account_id: 'none', reason: 'not_found', errors: {} }]);
    for (const id of ['a-0', 'a-1']) expect((await acme.get(`/accounts/${id}`)).status).toBe(404);
    expect((await acme.get('/accounts/a-2')).status).toBe(200);
    const { data } = (await acme.get('/accounts/a-0/history')).body;
    expect(data[0]).toMatchObject({ kind: 'deleted', run_id: null });
    expect(JSON.stringify(data)).not.toContain('Name 0');
    expect((await acme.get('/rejections')).body.data).toEqual([]);
  });

  it('deletes all that match, and tells it first in a dry run', async () => {
    const acme = await withRejected(25);
    const matching = { id_prefix: 'a-1' };
    const tried = await many(acme, 'delete', { matching, dry_run: true });
    expect(tried.summary).toEqual(manySummary({ run_id: null, matched: 11, deleted: 11, dry_run: true }));
    expect(tried.accounts).toHaveLength(11);
    expect(tried.accounts[0]).toEqual({
      account_id: 'a-1',
      name: 'Name 1',
      outcome: 'deleted',
      changes: [],
    });
    const { summary } = await many(acme, 'delete', { matching, max_accounts: 11 });
    expect(summary).toEqual(manySummary({ run_id: null, matched: 11, deleted: 11 }));
    expect(await acme.all('/accounts', 50)).toHaveLength(14);
  });

  it('needs the scope admin, and no other', async () => {
    const acme = await withRejected(2);
    const key = await acme.addKey(['sync', 'read']);
    expect((await requestMany(acme, 'delete', { ids: ['a-1'] }, { key })).body).toEqual(
      problem(403, 'scope_missing', 'This key lacks the scope admin.'),
    );
    const admin = await acme.addKey(['admin']);
    expect((await many(acme, 'delete', { ids: ['a-1'] }, { key: admin })).summary.deleted).toBe(1);
  });
});
