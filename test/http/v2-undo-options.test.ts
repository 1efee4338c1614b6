import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { dumpLasting } from '../support/dump-tables.js';
import {
  finishRun,
  importRecords,
  keyOf,
  openRun,
  requestsCounted,
  run as runBody,
  upsert,
} from './run-requests.js';
import { archive, conflict, requestUndo, runOf, summary, UNDO_REQUEST, undo } from './undo-requests.js';
import { at, eventually, NOON, problem, type Tenant, useServer } from './v2-server.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;

describe.each(databases)('the request to undo a run on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const licenses = async (tenant: Tenant, id: string) =>
    (await tenant.get(`/accounts/${id}`)).body.fields.licenses ?? null;
  const refused = (status: number, code: string) => ({
    status,
    body: { ...problem(status, code, ''), detail: expect.any(String), request_id: UNDO_REQUEST },
  });
  const expectRefused = async (answer: Promise<unknown>, status: number, code: string) =>
    expect(await answer).toMatchObject(refused(status, code));
  const runs = async (tenant: Tenant) => (await tenant.get('/runs')).body.data;
  /** An undo that has begun and done nothing, as one that was interrupted immediately. */
  const interrupted = async (tenant: Tenant, run: string, toExamine: number, isForced = false) => {
    const start = { tenantId: tenant.id, source: 'default', senderId: tenant.keyId, at: server.now };
    const undoing = { runId: Number(run), requestId: null, isForced, toExamine };
    const opened = await server.store.undos.open({ ...start, ...undoing });
    return String(opened?.id);
  };

  describe('with dry_run', () => {
    /** Accounts with every kind of conflict; returns the run. */
    const prepare = async (tenant: Tenant) => {
      await tenant.sync({ account_id: 'a', licenses: 1 }, { account_id: 'b', licenses: 1 });
      await tenant.sync({ account_id: 'gone', licenses: 1 });
      await archive(tenant, { account_id: 'old', licenses: 1 });
      const record = (account_id: string, value: number) => ({ account_id, licenses: value });
      const run = await runOf(tenant, [
        ['a', 'b', 'gone', 'old', 'new', 'touched', 'twice'].map((id) => record(id, 2)),
        [record('twice', 3)],
      ]);
      await tenant.sync(record('b', 9), { account_id: 'touched', x: 1 });
      await tenant.call('DELETE', '/accounts/gone');
      return run;
    };
    const sorted = (conflicts: readonly object[]) => conflicts.map((one) => JSON.stringify(one)).sort();

    it.each([false, true])('predicts what an undo does, with force: %s', async (force) => {
      const acme = await server.tenant();
      const run = await prepare(acme);
      const dry = await undo(acme, run, { dry_run: true, force });
      for (const { run_id } of [...dry.progress, dry.summary]) expect(run_id).toBeNull();
      expect(dry.progress[0]).toEqual({ run_id: null, undoes: run, changes: 8, examined: 0, conflicts: 0 });
      expect((await runs(acme)).filter(({ kind }: { kind: string }) => kind === 'undo')).toHaveLength(1);
      const real = await undo(acme, run, { force });
      expect(dry.summary).toEqual({ ...real.summary, run_id: null, dry_run: true });
      expect(sorted(dry.conflicts)).toEqual(sorted(real.conflicts));
      expect(dry.progress.at(-1)).toEqual({ ...real.progress.at(-1), run_id: null });
      const conflictsOfForce = [conflict('gone', { reason: 'deleted' })];
      const others = [conflict('b', { field: 'licenses', before: 1, left: 2, now: 9 }), conflict('touched')];
      expect(sorted(real.conflicts)).toEqual(
        sorted(force ? conflictsOfForce : [...conflictsOfForce, ...others]),
      );
      expect(real.summary.conflicts).toBe(force ? 1 : 3);
      // Nothing is left to predict.
      const again = await undo(acme, run, { dry_run: true, force });
      expect(again.summary).toMatchObject({ updated: 0, archived: 0, restored: 0 });
    });

    it('stores nothing', async () => {
      const acme = await server.tenant();
      const run = await prepare(acme);
      const tables = async () => {
        const { account, change_set = [] } = await dumpLasting(server.databaseUrl);
        // A background job erases the values of the deleted account meanwhile, so only the sets are counted.
        return { account, sets: change_set.length, runs: (await runs(acme)).length };
      };
      const before = await tables();
      await undo(acme, run, { dry_run: true });
      await undo(acme, run, { dry_run: true, force: true });
      expect(await tables()).toEqual(before);
      expect((await acme.get(`/runs/${run}`)).body.undone_by).toBeNull();
    });
  });

  describe('with request_id', () => {
    const send = async (tenant: Tenant, run: string, requestId: string, body: unknown) =>
      expect((await upsert(tenant, body, { run, requestId })).status).toBe(200);

    it('takes back only that request, also while the run is open', async () => {
      const acme = await server.tenant();
      await acme.sync({ account_id: 'a', licenses: 1, name: 'A' }, { account_id: 'b', licenses: 1 });
      const run = await openRun(acme);
      await send(acme, run, 'one', [{ account_id: 'a', licenses: 2, name: 'B' }, { account_id: 'new' }]);
      await send(acme, run, 'two', { account_id: 'a', licenses: 3 });
      await send(acme, run, 'two', { account_id: 'b', licenses: 2 });
      const first = await undo(acme, run, { request_id: 'one' });
      expect(first.conflicts).toEqual([conflict('a', { field: 'licenses', before: 1, left: 2, now: 3 })]);
      expect(first.summary).toEqual(summary(run, { changes: 2, updated: 1, archived: 1, conflicts: 1 }));
      const details = (await acme.get(`/runs/${first.summary.run_id}`)).body;
      expect(details.undo).toEqual({
        run_id: run,
        request_id: 'one',
        force: false,
        changes: 2,
        examined: 2,
        conflicts: 1,
      });
      expect((await acme.get(`/runs/${run}`)).body).toMatchObject({
        state: 'open',
        undone_by: first.summary.run_id,
      });
      const second = await undo(acme, run, { request_id: 'two' });
      expect(second.summary).toEqual(summary(run, { changes: 2, updated: 2 }));
      expect([await licenses(acme, 'a'), await licenses(acme, 'b')]).toEqual([2, 1]);
      // Now the value is the one that the first request left.
      await undo(acme, run, { request_id: 'one' });
      expect(await licenses(acme, 'a')).toBe(1);
      await send(acme, run, 'three', { account_id: 'c' });
      expect((await finishRun(acme, run)).status).toBe(200);
    });

    it('counts other requests of the run as others', async () => {
      const acme = await server.tenant();
      const run = await openRun(acme);
      await send(acme, run, 'one', { account_id: 'a' });
      await send(acme, run, 'two', { account_id: 'a', licenses: 2 });
      await finishRun(acme, run);
      const { conflicts } = await undo(acme, run, { request_id: 'one' });
      expect(conflicts).toEqual([conflict('a')]);
      expect(await licenses(acme, 'a')).toBe(2);
    });

    it('takes back an import', async () => {
      const acme = await server.tenant();
      await acme.sync({ account_id: 'a', licenses: 1 });
      const run = await openRun(acme);
      const records = [{ account_id: 'a', licenses: 2 }, { account_id: 'b' }, { account_id: 'b', x: 1 }];
      await importRecords(acme, records, { run, requestId: 'file' });
      expect((await undo(acme, run, { request_id: 'file' })).summary).toMatchObject({
        archived: 1,
        conflicts: 0,
      });
      expect(await licenses(acme, 'a')).toBe(1);
    });

    it('has to be one of the run', async () => {
      const acme = await server.tenant();
      const run = await runOf(acme, [{ account_id: 'a' }]);
      await expectRefused(requestUndo(acme, run, { request_id: 'r' }), 404, 'request_not_found');
      expect(await runs(acme)).toHaveLength(1);
    });
  });

  it('may be of a run without a name, once it has ended', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a' });
    const [{ id }] = await runs(acme);
    await expectRefused(requestUndo(acme, id), 409, 'run_open');
    await eventually(async () =>
      expect(await server.store.jobs.countChanges(acme.id, server.now)).toBe(true),
    );
    await server.store.jobs.endSilentRuns(NOON + HOUR, 5 * 60_000);
    expect((await undo(acme, id)).summary).toEqual(summary(id, { changes: 1, archived: 1 }));
  });

  describe('is refused', () => {
    it('for a run that is not there, is open, or belongs to another tenant', async () => {
      const [acme, other] = [await server.tenant(), await server.tenant()];
      const run = await runOf(acme, [{ account_id: 'a' }]);
      for (const id of ['999999999', 'x', '0', '-1', '1.5', '1e3', '99999999999999999999', '%20'])
        await expectRefused(requestUndo(acme, id), 404, 'run_not_found');
      await expectRefused(requestUndo(other, run), 404, 'run_not_found');
      const open = await openRun(acme);
      for (const body of [undefined, { dry_run: true }, { force: true }])
        await expectRefused(requestUndo(acme, open, body), 409, 'run_open');
      expect(await runs(acme)).toHaveLength(2);
    });

    it('for a body that is not valid', async () => {
      const acme = await server.tenant();
      const run = await runOf(acme, [{ account_id: 'a' }]);
      for (const [body, pointer] of [
        [{ dryRun: true }, '/body/dryRun'],
        [{ dry_run: 'true' }, '/body/dry_run'],
        [{ dry_run: 1 }, '/body/dry_run'],
        [{ force: null }, '/body/force'],
        [{ request_id: 7 }, '/body/request_id'],
        [{ request_id: null }, '/body/request_id'],
        [[], '/body'],
        ['"x"', '/body'],
      ] as const) {
        const answer = await requestUndo(acme, run, body);
        expect([body, answer]).toMatchObject([body, refusedBody(pointer)]);
      }
      expect((await requestUndo(acme, run, '{"force":')).status).toBe(400);
      expect(await runs(acme)).toHaveLength(1);
    });
    const refusedBody = (pointer: string) => ({
      status: 400,
      body: { code: 'invalid_request', errors: [{ pointer, detail: expect.any(String) }] },
    });

    it('without a key, with another scope, and for another source without the scope admin', async () => {
      const acme = await server.tenant();
      const [crm, erp] = [await keyOf(acme, 'crm'), await keyOf(acme, 'erp')];
      const run = await runOf(acme, [{ account_id: 'a' }], { key: crm.key });
      await expectRefused(requestUndo(acme, run, {}, { key: 'unknown' }), 401, 'unauthenticated');
      const reader = await acme.addKey(['read']);
      expect(await requestUndo(acme, run, {}, { key: reader })).toMatchObject({ status: 403 });
      const admin = await acme.addKey(['admin']);
      expect(await requestUndo(acme, run, {}, { key: admin })).toMatchObject({ status: 403 });
      for (const body of [{}, { dry_run: true }])
        await expectRefused(requestUndo(acme, run, body, { key: erp.key }), 403, 'undo_of_other_source');
      expect((await acme.get('/accounts/a')).body.archived_at).toBeNull();
      expect((await undo(acme, run, {}, { key: crm.key })).summary).toMatchObject({ archived: 1 });
      const { summary: said } = await undo(acme, run);
      expect((await acme.get(`/runs/${said.run_id}`)).body).toMatchObject({ source: 'default' });
    });

    it('if changes of the run were removed, before anything is stored', async () => {
      const acme = await server.tenant({ historyDays: 30 });
      await acme.sync({ account_id: 'a', licenses: 1 }, { account_id: 'b', licenses: 1 });
      const run = await openRun(acme);
      const send = async (account_id: string, value: number) =>
        upsert(acme, { account_id, licenses: value }, { run });
      await send('a', 2);
      await send('b', 2);
      server.now += 20 * DAY;
      await send('a', 3);
      await finishRun(acme, run);
      await acme.sync({ account_id: 'b', licenses: 9 });
      server.now += 15 * DAY;
      await eventually(async () =>
        expect(await server.store.jobs.countChanges(acme.id, server.now)).toBe(true),
      );
      const step = await server.store.jobs.prune({ what: 'history', tenantId: acme.id }, server.now, 7);
      expect(step.removed).toBeGreaterThan(0);
      await requestsCounted(acme, 6);
      const before = await runs(acme);
      for (const body of [{}, { force: true }, { dry_run: true }])
        await expectRefused(requestUndo(acme, run, body), 409, 'history_removed');
      expect(await runs(acme)).toEqual(before);
      expect([await licenses(acme, 'a'), await licenses(acme, 'b')]).toEqual([3, 9]);
    });
  });

  describe('that was interrupted', () => {
    it('continues with the same options, and is refused with others', async () => {
      const acme = await server.tenant();
      const run = await runOf(acme, [{ account_id: 'a' }, { account_id: 'b' }]);
      const id = await interrupted(acme, run, 2);
      await expectRefused(requestUndo(acme, run, { force: true }), 409, 'undo_unfinished');
      const [{ request_id }] = (await acme.get('/accounts/a/history')).body.data;
      await expectRefused(requestUndo(acme, run, { request_id }), 409, 'undo_unfinished');
      expect((await undo(acme, run, { dry_run: true, force: true })).summary).toMatchObject({ archived: 2 });
      await expectRefused(requestUndo(acme, id), 409, 'run_open');
      expect((await undo(acme, run)).summary).toEqual(summary(run, { run_id: id, changes: 2, archived: 2 }));
      expect((await acme.get(`/runs/${id}`)).body).toMatchObject({ state: 'finished', archived: 2 });
      expect((await undo(acme, run, { force: true })).summary.run_id).not.toBe(id);
    });

    it('is ended with abandon, not by finishing it', async () => {
      const acme = await server.tenant();
      const run = await runOf(acme, [{ account_id: 'a' }]);
      const id = await interrupted(acme, run, 1);
      for (const abandon of [undefined, false])
        expect(await finishRun(acme, id, { ...(abandon !== undefined && { abandon }) })).toMatchObject({
          status: 409,
          body: { code: 'run_is_undo' },
        });
      const undoState = {
        run_id: run,
        request_id: null,
        force: false,
        changes: 1,
        examined: 0,
        conflicts: 0,
      };
      const { status, body } = await finishRun(acme, id, { abandon: true });
      expect([status, body]).toEqual([
        200,
        {
          ...runBody(acme, id, { kind: 'undo', state: 'abandoned', requests: 1, ended_at: at() }),
          undo: undoState,
          undone_by: null,
          fields: [],
        },
      ]);
      const { summary: said } = await undo(acme, run, { force: true });
      expect(said).toEqual(summary(run, { changes: 1, archived: 1 }));
      expect(said.run_id).not.toBe(id);
    });
  });

  it.each(['open', 'finished'])('makes a run that takes no other requests while it is %s', async (state) => {
    const acme = await server.tenant();
    const run = await runOf(acme, [{ account_id: 'a' }]);
    const id =
      state === 'open' ? await interrupted(acme, run, 1) : String((await undo(acme, run)).summary.run_id);
    expect((await upsert(acme, { account_id: 'b' }, { run: id })).status).toBe(409);
    expect(await importRecords(acme, [{ account_id: 'b' }], { run: id })).toMatchObject({
      status: 409,
      body: { code: 'run_is_undo' },
    });
    expect(await finishRun(acme, id)).toMatchObject({ status: 409, body: { code: 'run_is_undo' } });
    expect((await acme.get('/accounts/b')).status).toBe(404);
  });

  it('does not make a late source fresh', async () => {
    const acme = await server.tenant();
    const crm = await keyOf(acme, 'crm');
    await acme.call('PUT', '/sources/crm', { expect_every_seconds: 3_600 });
    const run = await runOf(acme, [{ account_id: 'a' }], { key: crm.key });
    const times = async () => {
      const { is_late, last_finished_at, next_expected_at } = (await acme.get('/sources/crm')).body;
      return { is_late, last_finished_at, next_expected_at };
    };
    const before = await times();
    expect(before).toMatchObject({ is_late: false, last_finished_at: at() });
    server.now = NOON + 2 * HOUR;
    expect(await times()).toEqual({ ...before, is_late: true });
    await undo(acme, run, {}, { key: crm.key });
    expect(await times()).toEqual({ ...before, is_late: true });
    await server.store.directory.sources.set(acme.id, 'crm', { expectEveryMs: null });
  });
});
