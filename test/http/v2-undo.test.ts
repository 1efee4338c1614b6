import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { problemsIn } from '../support/verified.js';
import { finishRun, kinds, openRun, run as runBody, upsert } from './run-requests.js';
import { archive, conflict, runOf, summary, undo } from './undo-requests.js';
import { account, at, eventually, type Tenant, useServer } from './v2-server.js';

describe.each(databases)('the undo of a run on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const show = async (tenant: Tenant, id: string) => (await tenant.get(`/accounts/${id}`)).body;
  /** What a caller can store of an account, and whether it is archived. */
  const values = async (tenant: Tenant, id: string) => {
    const { name, parent_account_id, fields, archived_at } = await show(tenant, id);
    return { name, parent_account_id, ...fields, isArchived: archived_at !== null };
  };
  const live = (given: object) => ({ name: null, parent_account_id: null, isArchived: false, ...given });

  it('returns every field to its value before, and says so in its lines', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a', name: 'A', licenses: 1, custom_Gone: 'x', kept: true });
    server.now += 10;
    const record = { account_id: 'a', name: 'B', licenses: null, custom_New: [1], parent_account_id: 'p' };
    const run = await runOf(acme, [record, { account_id: 'new' }]);
    server.now += 10;
    const { progress, conflicts, summary: said } = await undo(acme, run);
    const id = String(said.run_id);
    expect(conflicts).toEqual([]);
    expect(said).toEqual(summary(run, { changes: 2, updated: 1, archived: 1 }));
    const step = { run_id: id, undoes: run, changes: 2, conflicts: 0 };
    expect([progress[0], progress.at(-1)]).toEqual([
      { ...step, examined: 0 },
      { ...step, examined: 2 },
    ]);
    expect(await show(acme, 'a')).toEqual(
      account('a', {
        name: 'A',
        fields: { licenses: 1, custom_Gone: 'x', kept: true },
        undeclared: expect.arrayContaining(['kept']),
        revision: 3,
        updated_at: at(21),
      }),
    );
    expect(await values(acme, 'new')).toEqual(live({ isArchived: true }));
  });

  it('is itself a run, whose entries name it, its request, key and source', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a', name: 'A' });
    const run = await runOf(acme, [{ account_id: 'a', name: 'B' }, { account_id: 'b' }]);
    const admin = await acme.call('POST', '/keys', { scopes: ['sync', 'admin'], label: 'ops' });
    server.now += 5;
    const { key, id: key_id } = admin.body;
    const { summary: said } = await undo(acme, run, {}, { key, requestId: 'take-back' });
    const id = String(said.run_id);
    const expected = runBody(acme, id, {
      source: 'ops',
      kind: 'undo',
      state: 'finished',
      key_id,
      started_at: at(6),
      ended_at: at(6),
      last_request_at: at(6),
      requests: 1,
      updated: 1,
      archived: 1,
      undo: { run_id: run, request_id: null, force: false, changes: 2, examined: 2, conflicts: 0 },
    });
    const details = { ...expected, undone_by: null, fields: [{ field: 'name', changes: 1 }] };
    await eventually(async () => expect((await acme.get(`/runs/${id}`)).body).toEqual(details));
    expect((await acme.get('/runs')).body.data[0]).toEqual(expected);
    expect((await acme.get(`/runs/${run}`)).body).toMatchObject({ undone_by: id, undo: null });
    const entry = { request_id: 'take-back', key_id, user: null, source: 'ops', run_id: id, at: at(6) };
    expect((await acme.get('/accounts/a/history?limit=1')).body.data).toEqual([
      {
        ...entry,
        revision: 3,
        kind: 'updated',
        is_erased: false,
        changes: [{ field: 'name', from: 'B', to: 'A' }],
      },
    ]);
    await eventually(async () => {
      const { data } = (await acme.get(`/changes?run_id=${id}`)).body;
      expect(data.map((one: { account_id: string }) => one.account_id).sort()).toEqual(['a', 'b']);
      for (const one of data) expect(one).toMatchObject(entry);
    });
  });

  it.each([
    ['a number', 1, 2],
    ['zero and false', 0, false],
    ['a text and a number', '1', 1],
    ['a boolean', true, false],
    ['an object', { a: { b: [1, null] } }, { a: { b: [1] } }],
    ['an array', [1, 2], [2, 1]],
    ['an empty text and an empty object', '', {}],
    ['nothing', null, [null]],
    ['a value that is removed', { x: 'ü👩' }, null],
  ])('compares %s as JSON', async (_what, before, left) => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a', free: before, custom_Free: before, k: 1 });
    const run = await runOf(acme, [{ account_id: 'a', free: left, custom_Free: left }]);
    expect((await undo(acme, run)).summary).toEqual(summary(run, { changes: 1, updated: 1 }));
    const stored = before === null ? {} : { free: before, custom_Free: before };
    expect(await values(acme, 'a')).toEqual(live({ ...stored, k: 1 }));
  });

  it('compares objects without regard to the order of their keys', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a', free: 1 });
    const run = await runOf(acme, [{ account_id: 'a', free: { x: 1, y: 2 } }]);
    await acme.sync({ account_id: 'a', free: 3 }, { account_id: 'a', free: { y: 2, x: 1 } });
    expect((await undo(acme, run)).conflicts).toEqual([]);
    expect(await values(acme, 'a')).toEqual(live({ free: 1 }));
  });

  it('leaves what was changed since, and takes the rest back', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a', name: 'A', licenses: 1, free: { x: 1 }, parent_account_id: 'p' });
    const record = { account_id: 'a', name: 'B', licenses: 2, free: { x: 2 }, parent_account_id: 'q' };
    const run = await runOf(acme, [{ ...record, extra: 'e' }]);
    // The name has its value from before already.
    await acme.sync({ account_id: 'a', name: 'A', licenses: 3, parent_account_id: null, extra: null });
    const { conflicts, summary: said, progress } = await undo(acme, run);
    expect(conflicts).toHaveLength(2);
    expect(conflicts).toEqual(
      expect.arrayContaining([
        conflict('a', { field: 'licenses', before: 1, left: 2, now: 3 }),
        conflict('a', { field: 'parent_account_id', before: 'p', left: 'q', now: null }),
      ]),
    );
    expect(said).toEqual(summary(run, { changes: 1, updated: 1, conflicts: 2 }));
    expect(progress.at(-1)).toMatchObject({ examined: 1, conflicts: 2 });
    expect(await values(acme, 'a')).toEqual(live({ name: 'A', licenses: 3, free: { x: 1 } }));
  });

  it('with force takes back what was changed since, too', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a', licenses: 1 });
    const run = await runOf(acme, [[{ account_id: 'a', licenses: 2, name: 'B' }, { account_id: 'new' }]]);
    await acme.sync({ account_id: 'a', licenses: 3, kept: 1 }, { account_id: 'new', name: 'Other' });
    const { conflicts, summary: said } = await undo(acme, run, { force: true });
    expect([conflicts, said]).toEqual([[], summary(run, { changes: 2, updated: 1, archived: 1 })]);
    expect(await values(acme, 'a')).toEqual(live({ licenses: 1, kept: 1 }));
    expect(await values(acme, 'new')).toEqual(live({ name: 'Other', isArchived: true }));
    expect((await acme.get(`/runs/${said.run_id}`)).body.undo).toMatchObject({ force: true });
  });

  describe('of accounts that it created', () => {
    it('archives them, also if the run changed them afterwards', async () => {
      const acme = await server.tenant();
      const created = { account_id: 'a', name: 'A' };
      const run = await runOf(acme, [created, { account_id: 'a', name: 'B' }, { account_id: 'a', x: 1 }]);
      const { conflicts, summary: said } = await undo(acme, run);
      expect([conflicts, said.archived, said.conflicts]).toEqual([[], 1, 0]);
      expect(await show(acme, 'a')).toMatchObject({ archived_at: at() });
      expect((await acme.get('/accounts')).body.data).toEqual([]);
    });

    it('leaves those that others have changed', async () => {
      const acme = await server.tenant();
      const run = await runOf(acme, [[{ account_id: 'a', name: 'A' }, { account_id: 'b' }]]);
      await acme.sync({ account_id: 'a', x: 1 });
      const { conflicts, summary: said } = await undo(acme, run);
      expect(conflicts).toEqual([conflict('a')]);
      expect(said).toEqual(summary(run, { changes: 2, archived: 1, conflicts: 1 }));
      expect(await values(acme, 'a')).toEqual(live({ name: 'A', x: 1 }));
    });

    it('touches nothing of those that others have changed, if the run changed them afterwards', async () => {
      const acme = await server.tenant();
      const run = await runOf(acme, [
        { account_id: 'a', name: 'A', licenses: 1 },
        { account_id: 'a', name: 'B' },
      ]);
      await acme.sync({ account_id: 'a', x: 1 });
      const { conflicts, summary: said } = await undo(acme, run);
      expect(await values(acme, 'a')).toEqual(live({ name: 'B', licenses: 1, x: 1 }));
      expect(conflicts).toEqual([conflict('a')]);
      expect(said).toMatchObject({ updated: 0, archived: 0, conflicts: 1 });
    });

    it('touches nothing of those that others changed between two requests of the run', async () => {
      const acme = await server.tenant();
      const run = await openRun(acme);
      await upsert(acme, { account_id: 'a', name: 'A' }, { run });
      await acme.sync({ account_id: 'a', x: 1 });
      await upsert(acme, { account_id: 'a', name: 'B' }, { run });
      await finishRun(acme, run);
      const { conflicts } = await undo(acme, run);
      expect(await values(acme, 'a')).toEqual(live({ name: 'B', x: 1 }));
      expect(conflicts).toEqual([conflict('a')]);
    });

    it('leaves an account that others have archived and restored', async () => {
      const acme = await server.tenant();
      const run = await runOf(acme, [{ account_id: 'a' }]);
      await undo(acme, run);
      await acme.sync({ account_id: 'a' });
      expect((await undo(acme, run)).conflicts).toEqual([conflict('a')]);
      expect(await values(acme, 'a')).toEqual(live({}));
    });
  });

  describe('that changed one field several times', () => {
    it('returns it to the value before the run', async () => {
      const acme = await server.tenant();
      await acme.sync({ account_id: 'a', licenses: 1 });
      const run = await runOf(
        acme,
        [2, 3, 4].map((licenses) => ({ account_id: 'a', licenses })),
      );
      expect((await undo(acme, run)).conflicts).toEqual([]);
      expect(await values(acme, 'a')).toEqual(live({ licenses: 1 }));
    });

    it('has one conflict for it, with the value before the run and the one the run left', async () => {
      const acme = await server.tenant();
      await acme.sync({ account_id: 'a', licenses: 1 });
      const run = await runOf(
        acme,
        [2, 3, 4].map((licenses) => ({ account_id: 'a', licenses })),
      );
      await acme.sync({ account_id: 'a', licenses: 9 });
      const { conflicts, summary: said } = await undo(acme, run);
      expect(await values(acme, 'a')).toEqual(live({ licenses: 9 }));
      expect(conflicts).toEqual([conflict('a', { field: 'licenses', before: 1, left: 4, now: 9 })]);
      expect(said).toMatchObject({ updated: 0, conflicts: 1 });
    });

    it.each([
      ['which the run had meanwhile', [2, 3], 2],
      ['which the run had meanwhile, and returned from', [2, 1], 2],
    ])('does not overwrite a value of others %s', async (_what, sent, others) => {
      const acme = await server.tenant();
      await acme.sync({ account_id: 'a', licenses: 1 });
      const run = await runOf(
        acme,
        sent.map((licenses) => ({ account_id: 'a', licenses })),
      );
      await acme.sync({ account_id: 'a', licenses: others });
      await undo(acme, run);
      expect(await values(acme, 'a')).toEqual(live({ licenses: others }));
    });

    it('is no conflict if it has the value from before the run already', async () => {
      const acme = await server.tenant();
      await acme.sync({ account_id: 'a', licenses: 1 });
      const run = await runOf(
        acme,
        [2, 3].map((licenses) => ({ account_id: 'a', licenses })),
      );
      await acme.sync({ account_id: 'a', licenses: 1 });
      const { conflicts } = await undo(acme, run);
      expect(await values(acme, 'a')).toEqual(live({ licenses: 1 }));
      expect(conflicts).toEqual([]);
    });
  });

  describe('that restored an archived account', () => {
    it('archives it again, with its fields from before', async () => {
      const acme = await server.tenant();
      await archive(acme, { account_id: 'a', name: 'A' }, { account_id: 'b' });
      const run = await runOf(acme, [[{ account_id: 'a', name: 'B', x: 1 }, { account_id: 'b' }]]);
      expect((await undo(acme, run)).summary).toEqual(summary(run, { changes: 2, archived: 2 }));
      expect(await values(acme, 'a')).toEqual(live({ name: 'A', isArchived: true }));
      expect(await kinds(acme, 'a')).toEqual(['created', 'archived', 'restored', 'archived']);
      expect(await values(acme, 'b')).toEqual(live({ isArchived: true }));
    });

    it('does so also if the run changed it afterwards', async () => {
      const acme = await server.tenant();
      await archive(acme, { account_id: 'a', name: 'A' });
      const run = await runOf(acme, [
        { account_id: 'a', name: 'B' },
        { account_id: 'a', name: 'C', x: 1 },
      ]);
      expect((await undo(acme, run)).conflicts).toEqual([]);
      expect(await values(acme, 'a')).toEqual(live({ name: 'A', isArchived: true }));
    });

    it('leaves it out of the archive if others have changed it', async () => {
      const acme = await server.tenant();
      await archive(acme, { account_id: 'a', name: 'A' });
      const run = await runOf(acme, [{ account_id: 'a' }]);
      await acme.sync({ account_id: 'a', x: 1 });
      const { conflicts } = await undo(acme, run);
      expect(conflicts).toEqual([conflict('a')]);
      expect(await values(acme, 'a')).toEqual(live({ name: 'A', x: 1 }));
    });
  });

  describe('of accounts that were deleted since', () => {
    it.each([false, true])('is a conflict, with force: %s', async (force) => {
      const acme = await server.tenant();
      await acme.sync({ account_id: 'a', name: 'secret' }, { account_id: 'c', name: 'secret' });
      const run = await runOf(acme, [
        [
          { account_id: 'a', name: 'B' },
          { account_id: 'b', name: 'new' },
          { account_id: 'c', name: 'B' },
          { account_id: 'd', name: 'new' },
        ],
      ]);
      for (const id of ['a', 'b', 'c', 'd'])
        expect((await acme.call('DELETE', `/accounts/${id}`)).status).toBe(204);
      await acme.sync({ account_id: 'c', name: 'B' }, { account_id: 'd', name: 'new' });
      const { conflicts, summary: said } = await undo(acme, run, { force });
      expect([...conflicts].sort((a, b) => (String(a.account_id) < String(b.account_id) ? -1 : 1))).toEqual(
        ['a', 'b', 'c', 'd'].map((id) => conflict(id, { reason: 'deleted' })),
      );
      expect(said).toEqual(summary(run, { changes: 4, conflicts: 4 }));
      for (const id of ['a', 'b']) expect((await acme.get(`/accounts/${id}`)).status).toBe(404);
      expect(await values(acme, 'c')).toEqual(live({ name: 'B' }));
      expect(await values(acme, 'd')).toEqual(live({ name: 'new' }));
    });

    it('is one conflict per account, also if the run changed it several times', async () => {
      const acme = await server.tenant();
      const run = await runOf(acme, [
        { account_id: 'a', name: 'A' },
        { account_id: 'a', name: 'B' },
      ]);
      await acme.call('DELETE', '/accounts/a');
      const { conflicts, summary: said } = await undo(acme, run);
      expect(conflicts).toEqual([conflict('a', { reason: 'deleted' })]);
      expect(said).toMatchObject({ conflicts: 1 });
    });
  });

  describe('of an undo', () => {
    it('gives the state before the undo, as often as wanted', async () => {
      const acme = await server.tenant();
      await acme.sync({ account_id: 'a', name: 'A', licenses: 1 });
      await archive(acme, { account_id: 'old', name: 'Old' });
      const run = await runOf(acme, [
        [
          { account_id: 'a', name: 'B', licenses: null },
          { account_id: 'new', x: [1] },
          { account_id: 'old', name: 'Young' },
        ],
        { account_id: 'new', x: [2] },
      ]);
      const state = async () =>
        Promise.all(['a', 'new', 'old'].map(async (id) => [id, await values(acme, id)]));
      const after = await state();
      const [first] = [await undo(acme, run)];
      expect(await values(acme, 'a')).toEqual(live({ name: 'A', licenses: 1 }));
      expect(await values(acme, 'new')).toMatchObject({ isArchived: true });
      expect(await values(acme, 'old')).toEqual(live({ name: 'Old', isArchived: true }));
      const undone = await state();
      const second = await undo(acme, String(first?.summary.run_id));
      expect(second.summary).toMatchObject({ restored: 2, conflicts: 0, is_complete: true });
      expect(await state()).toEqual(after);
      const third = await undo(acme, String(second.summary.run_id));
      expect(third.summary).toMatchObject({ archived: 2, conflicts: 0 });
      expect(await state()).toEqual(undone);
      await undo(acme, String(third.summary.run_id));
      expect(await state()).toEqual(after);
    });

    it('lets the run be undone again', async () => {
      const acme = await server.tenant();
      await acme.sync({ account_id: 'a', name: 'A' });
      const run = await runOf(acme, [{ account_id: 'a', name: 'B' }]);
      const first = await undo(acme, run);
      const again = await undo(acme, run);
      expect(again.summary).toEqual(summary(run, { changes: 1 }));
      expect(again.summary.run_id).not.toBe(first.summary.run_id);
      await acme.sync({ account_id: 'a', name: 'B' });
      const third = await undo(acme, run);
      expect(third.summary).toEqual(summary(run, { changes: 1, updated: 1 }));
      expect((await acme.get(`/runs/${run}`)).body.undone_by).toBe(third.summary.run_id);
      expect(await values(acme, 'a')).toEqual(live({ name: 'A' }));
    });
  });

  it('without any change is complete at once', async () => {
    const acme = await server.tenant();
    const run = await runOf(acme, []);
    expect(await undo(acme, run)).toEqual({
      progress: [{ run_id: expect.any(String), undoes: run, changes: 0, examined: 0, conflicts: 0 }],
      conflicts: [],
      summary: summary(run),
    });
  });

  it('leaves nothing for verify to report', async () => {
    expect(await problemsIn(server.databaseUrl)).toEqual([]);
  });
});
