import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import {
  FINISH_REQUEST,
  finishAsking,
  liveIds,
  mirror,
  missingFrom,
  numbered,
  openAsking,
  push,
} from './missing-requests.js';
import { headersOf, keyOf, kinds, openRun, run as runBody, upsert } from './run-requests.js';
import { archive, undo } from './undo-requests.js';
import { at, eventually, invalid, NOON, problem, type Tenant, useServer } from './v2-server.js';

const DAY = 86_400_000;
const SILENCE = 5 * 60_000;

describe.each(databases)('the missing accounts of a run on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const show = async (tenant: Tenant, id: string) => (await tenant.get(`/runs/${id}`)).body;

  it('are in the body of the run, and their changes belong to it', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a', name: 'A', licenses: 1 }, { account_id: 'b', name: 'B' });
    server.now = NOON + 10;
    const opened = await acme.call('POST', '/runs', { missing: 'archive' });
    const { id } = opened.body;
    const asking = { action: 'archive', accounts: null, of: null };
    const times = { started_at: at(10), last_request_at: at(10) };
    const open = runBody(acme, id, { ...times, missing: asking });
    expect([opened.status, opened.body]).toEqual([201, { ...open, undone_by: null, fields: [] }]);
    expect((await acme.get('/runs?state=open')).body.data[0]).toEqual(open);
    server.now = NOON + 20;
    await upsert(acme, { account_id: 'b', name: 'B' }, { run: id });
    server.now = NOON + 30;
    const finished = await finishAsking(acme, id, { max_missing_percent: 50 });
    const expected = runBody(acme, id, {
      started_at: at(10),
      last_request_at: expect.any(String),
      ended_at: at(30),
      state: 'finished',
      requests: 1,
      unchanged: 1,
      archived: 1,
      missing: { action: 'archive', accounts: 1, of: 2 },
    });
    expect([finished.status, finished.body]).toEqual([200, { ...expected, undone_by: null, fields: [] }]);
    expect(await show(acme, id)).toEqual(finished.body);
    expect((await acme.get('/runs')).body.data[0]).toEqual(expected);
    expect((await acme.get('/sources/default')).body).toMatchObject({
      is_tracked: true,
      last_finished_at: at(30),
    });
    const entry = {
      kind: 'archived',
      request_id: FINISH_REQUEST,
      key_id: acme.keyId,
      user: null,
      source: 'default',
      run_id: id,
      at: at(30),
      changes: [],
    };
    expect((await acme.get('/accounts/a/history?limit=1')).body.data).toEqual([
      { ...entry, revision: 2, is_erased: false },
    ]);
    expect((await acme.get('/accounts/a')).body).toMatchObject({
      name: 'A',
      fields: { licenses: 1 },
      archived_at: at(30),
    });
    await eventually(async () => {
      const { data } = (await acme.get(`/changes?run_id=${id}`)).body;
      expect(data).toMatchObject([{ ...entry, account_id: 'a' }]);
    });
  });

  describe('are archived up to a share', () => {
    it.each([
      // Missing, of, allowed share, and the share that the message suggests if that is exceeded.
      [2, 20, undefined, undefined],
      [3, 20, undefined, 15],
      [3, 20, 14, 15],
      [3, 20, 15, undefined],
      [1, 3, 33, 34],
      [1, 3, 34, undefined],
      [0, 3, 0, undefined],
      [1, 3, 0, 34],
      [2, 2, 99, 100],
      [2, 2, 100, undefined],
      [0, 0, 0, undefined],
    ])('%i of %i with max_missing_percent: %s', async (missing, of, max, suggested) => {
      const acme = await server.tenant();
      const ids = numbered(of);
      if (of > 0) await mirror(acme, ids);
      const run = await openAsking(acme);
      if (missing < of) await push(acme, ids.slice(missing), { run });
      const body = max === undefined ? undefined : { max_missing_percent: max };
      const answer = await finishAsking(acme, run, body);
      if (suggested === undefined) {
        expect([answer.status, answer.body]).toMatchObject([
          200,
          { state: 'finished', archived: missing, missing: { accounts: missing, of } },
        ]);
        expect(await liveIds(acme)).toEqual(ids.slice(missing));
        return;
      }
      const detail =
        `${missing} of the ${of} accounts that source default has pushed ${missing === 1 ? 'is' : 'are'} missing from run ${run}, more than ` +
        `${max ?? 10} %. None is archived, and the run is still open. If they are gone, finish it with ` +
        `{"max_missing_percent":${suggested}}; if not, end it with {"abandon":true}.`;
      expect([answer.status, answer.body]).toEqual([
        409,
        { ...problem(409, 'too_many_missing', detail), request_id: FINISH_REQUEST },
      ]);
      expect(await show(acme, run)).toMatchObject({
        state: 'open',
        ended_at: null,
        archived: 0,
        missing: { action: 'archive', accounts: null, of: null },
      });
      expect(await liveIds(acme)).toEqual(ids);
      // The suggested number is accepted.
      const second = await finishAsking(acme, run, { max_missing_percent: suggested });
      expect([second.status, second.body.archived]).toEqual([200, missing]);
    });

    it('without any limit if they are only reported', async () => {
      const acme = await server.tenant();
      await mirror(acme, ['a', 'b']);
      const run = await openAsking(acme, 'report');
      const { status, body } = await finishAsking(acme, run, { max_missing_percent: 0 });
      expect([status, body.missing]).toEqual([200, { action: 'report', accounts: 2, of: 2 }]);
      expect(await liveIds(acme)).toEqual(['a', 'b']);
      expect(await missingFrom(acme, run)).toEqual(['a', 'b']);
    });
  });

  describe('of a run that has ended', () => {
    it('stay as they are if it is finished again', async () => {
      const acme = await server.tenant();
      await mirror(acme, ['a', 'b']);
      const { body } = await mirror(acme, ['a']);
      await push(acme, ['b', 'c']);
      server.now += 10;
      for (const again of [undefined, { max_missing_percent: 0 }, { max_missing_percent: 100 }]) {
        const answer = await finishAsking(acme, body.id, again);
        expect([answer.status, answer.body]).toEqual([200, body]);
      }
      const abandoned = await finishAsking(acme, body.id, { abandon: true });
      expect([abandoned.status, abandoned.body.code]).toEqual([409, 'run_ended']);
      expect(await show(acme, body.id)).toEqual(body);
      expect(await liveIds(acme)).toEqual(['a', 'b', 'c']);
    });

    it('are neither counted nor archived if it was abandoned', async () => {
      const acme = await server.tenant();
      await mirror(acme, ['a', 'b']);
      const run = await openAsking(acme);
      const ended = await finishAsking(acme, run, { abandon: true, max_missing_percent: 100 });
      const missing = { action: 'archive', accounts: null, of: null };
      const expected = runBody(acme, run, { state: 'abandoned', ended_at: at(), missing });
      expect([ended.status, ended.body]).toEqual([200, { ...expected, undone_by: null, fields: [] }]);
      const again = await finishAsking(acme, run, { max_missing_percent: 100 });
      expect([again.status, again.body.code]).toEqual([409, 'run_ended']);
      expect(await show(acme, run)).toEqual(ended.body);
      expect(await liveIds(acme)).toEqual(['a', 'b']);
    });

    it('are neither counted nor archived if it ended by itself', async () => {
      const acme = await server.tenant();
      await mirror(acme, ['a', 'b']);
      const run = await openAsking(acme);
      await server.store.jobs.endSilentRuns(NOON + 2 * DAY, SILENCE);
      expect(await show(acme, run)).toMatchObject({
        state: 'abandoned',
        archived: 0,
        missing: { action: 'archive', accounts: null, of: null },
      });
      expect(await liveIds(acme)).toEqual(['a', 'b']);
    });
  });

  it('are those that were not sent since each of two runs at the same time was opened', async () => {
    const acme = await server.tenant();
    await mirror(acme, ['a', 'b', 'c']);
    const first = await openAsking(acme, 'report');
    await push(acme, ['a'], { run: first });
    const second = await openAsking(acme, 'report');
    await push(acme, ['b'], { run: first });
    expect([await missingFrom(acme, first), await missingFrom(acme, second)]).toEqual([['c'], ['a', 'c']]);
    const counts = async (id: string) => (await finishAsking(acme, id)).body.missing;
    expect(await counts(second)).toEqual({ action: 'report', accounts: 2, of: 3 });
    expect(await counts(first)).toEqual({ action: 'report', accounts: 1, of: 3 });
  });

  it('are not those that the source has sent for the first time in the run', async () => {
    const acme = await server.tenant();
    await mirror(acme, ['a']);
    const { body } = await mirror(acme, ['a', 'b']);
    expect(body.missing).toEqual({ action: 'archive', accounts: 0, of: 2 });
  });

  it('are without accounts that are archived or deleted', async () => {
    const acme = await server.tenant();
    const first = (await mirror(acme, ['a', 'b', 'c', 'd'])).body;
    await undo(acme, first.id);
    expect(await liveIds(acme)).toEqual([]);
    await push(acme, ['a', 'b', 'c']);
    expect((await acme.call('DELETE', '/accounts/c')).status).toBe(204);
    const run = await openAsking(acme);
    expect(await missingFrom(acme, run)).toEqual(['a', 'b']);
    await push(acme, ['a'], { run });
    const { body } = await finishAsking(acme, run, { max_missing_percent: 50 });
    expect(body).toMatchObject({ archived: 1, missing: { accounts: 1, of: 2 } });
    expect(await kinds(acme, 'd')).toEqual(['created', 'archived']);
    expect((await acme.get('/accounts/c')).status).toBe(404);
  });

  it('do not count after the undo of the run, until the source sends them again', async () => {
    const acme = await server.tenant();
    await mirror(acme, ['a', 'b']);
    const { body } = await mirror(acme, ['a']);
    expect((await undo(acme, body.id)).summary).toMatchObject({ restored: 1 });
    expect((await mirror(acme, ['a'])).body.missing).toEqual({ action: 'archive', accounts: 0, of: 1 });
    expect(await liveIds(acme)).toEqual(['a', 'b']);
    await push(acme, ['b']);
    expect((await mirror(acme, ['a'])).body.missing).toEqual({ action: 'archive', accounts: 1, of: 2 });
    expect(await liveIds(acme)).toEqual(['a']);
  });

  it('count again if they were archived by an undo, which is undone', async () => {
    const acme = await server.tenant();
    const created = (await mirror(acme, ['a'])).body;
    await mirror(acme, ['a', 'b']);
    const undone = await undo(acme, created.id, { force: true });
    expect(await liveIds(acme)).toEqual(['b']);
    expect((await mirror(acme, ['b'])).body.missing).toEqual({ action: 'archive', accounts: 0, of: 1 });
    await undo(acme, String(undone.summary.run_id));
    expect(await liveIds(acme)).toEqual(['a', 'b']);
    // This source has pushed the account before, and no run has archived it because it was missing.
    expect((await mirror(acme, ['b'])).body.missing).toEqual({ action: 'archive', accounts: 1, of: 2 });
  });

  it('are neither counted nor left in the body of a run that is abandoned after an interruption', async () => {
    const acme = await server.tenant();
    await mirror(acme, ['a', 'b']);
    const run = await openAsking(acme);
    // As if the process had been killed after it had counted them, and before it has archived any.
    await server.store.jobs.recordMissing(acme.id, Number(run), { accounts: 2, of: 2 }, server.now);
    const missing = { action: 'archive', accounts: null, of: null };
    expect(await show(acme, run)).toMatchObject({ state: 'open', missing });
    const ended = await finishAsking(acme, run, { abandon: true });
    expect([ended.status, ended.body]).toMatchObject([200, { state: 'abandoned', archived: 0, missing }]);
  });

  it('are not those of another source or tenant', async () => {
    const [acme, other] = [await server.tenant(), await server.tenant()];
    const [crm, erp] = [await keyOf(acme, 'crm'), await keyOf(acme, 'erp')];
    await mirror(other, ['a', 'b', 'd']);
    await mirror(acme, ['c', 'd'], erp.key);
    await mirror(acme, ['a', 'b'], crm.key);
    const { body } = await mirror(acme, ['a'], crm.key);
    expect(body).toMatchObject({ source: 'crm', archived: 1, missing: { accounts: 1, of: 2 } });
    expect(await liveIds(acme)).toEqual(['a', 'c', 'd']);
    expect(await liveIds(other)).toEqual(['a', 'b', 'd']);
  });

  describe('are listed', () => {
    it('with their names, in the order of their ids, in pages', async () => {
      const acme = await server.tenant();
      const ids = ['1', '_', 'a', 'a-1', 'b', 'z', 'ä', '日', '👩'];
      await acme.sync(
        ...ids.toReversed().map((account_id) => ({ account_id, name: `Name of ${account_id}` })),
      );
      await acme.sync({ account_id: 'a', name: null });
      await mirror(acme, [...ids]);
      const run = await openAsking(acme, 'report');
      const expected = ids.map((account_id) => ({
        account_id,
        name: account_id === 'a' ? null : `Name of ${account_id}`,
      }));
      expect((await acme.get(`/runs/${run}/missing`)).body).toEqual({ data: expected, next: null });
      for (const limit of [1, 2, 4, 9, 1_000])
        expect(await acme.all(`/runs/${run}/missing`, limit)).toEqual(expected);
      await push(acme, ids.slice(2), { run });
      const first = (await acme.get(`/runs/${run}/missing?limit=1`)).body;
      expect(first).toEqual({ data: expected.slice(0, 1), next: expect.any(String) });
      // What is sent between two pages is not on the second.
      await push(acme, ['_'], { run });
      expect((await acme.get(`/runs/${run}/missing?cursor=${first.next}`)).body).toEqual({
        data: [],
        next: null,
      });
    });

    it('after the run has ended, without those that were archived, deleted or sent since', async () => {
      const acme = await server.tenant();
      await mirror(acme, ['a', 'b', 'c', 'd']);
      const run = await openAsking(acme, 'report');
      await finishAsking(acme, run);
      await acme.call('DELETE', '/accounts/b');
      await push(acme, ['c']);
      expect(await missingFrom(acme, run)).toEqual(['a', 'd']);
      expect((await show(acme, run)).missing).toEqual({ action: 'report', accounts: 4, of: 4 });
      const archiving = (await mirror(acme, ['a'])).body;
      expect(await missingFrom(acme, archiving.id)).toEqual([]);
      expect(await missingFrom(acme, run)).toEqual([]);
    });

    it.each([
      ['limit=0', { '/query/limit': 'must be >= 1' }],
      ['limit=1001', { '/query/limit': 'must be <= 1000' }],
      ['limit=x', { '/query/limit': 'must be integer' }],
      ['cursor=x', { '/query/cursor': 'must be the `next` of a page of this same listing' }],
      ['cursor=W10', { '/query/cursor': 'must be the `next` of a page of this same listing' }],
      ['source=crm', { '/query/source': 'is not known here' }],
    ])('not with %s', async (query, errors) => {
      const acme = await server.tenant();
      const run = await openAsking(acme, 'report');
      const { status, body } = await acme.get(`/runs/${run}/missing?${query}`);
      expect([status, body]).toEqual([400, invalid(errors as Record<string, string>)]);
    });

    it('not with a cursor that was forged, or belongs to another listing', async () => {
      const acme = await server.tenant();
      await mirror(acme, ['a', 'b', 'c']);
      const [one, other] = [await openAsking(acme, 'report'), await openAsking(acme, 'report')];
      const { next } = (await acme.get(`/runs/${one}/missing?limit=1`)).body;
      const ofAccounts = (await acme.get('/accounts?limit=1')).body.next;
      const [name] = JSON.parse(Buffer.from(next, 'base64url').toString());
      const forged = [[name], [name, 1], [name, null], [name, {}], [name, 'a\0'], [name, 'a', 'b'], name].map(
        (value) => Buffer.from(JSON.stringify(value)).toString('base64url'),
      );
      const wrong = invalid({ '/query/cursor': 'must be the `next` of a page of this same listing' });
      for (const cursor of [ofAccounts, next.slice(0, -3), ...forged]) {
        const { status, body } = await acme.get(`/runs/${one}/missing?cursor=${cursor}`);
        expect([cursor, status, body]).toEqual([cursor, 400, wrong]);
      }
      expect((await acme.get(`/runs/${other}/missing?cursor=${next}`)).status).toBe(400);
    });

    it('not for a run that is not there, does not ask, or belongs to another tenant', async () => {
      const [acme, other] = [await server.tenant(), await server.tenant()];
      const asking = await openAsking(acme);
      const ignoring = (await acme.call('POST', '/runs', { missing: 'ignore' })).body.id;
      const plain = await openRun(other);
      await archive(other, { account_id: 'x' });
      const [{ id: undone }] = (await other.get('/runs')).body.data;
      for (const [tenant, id] of [
        [acme, '999999999'],
        [acme, 'x'],
        [acme, '0'],
        [acme, '1.5'],
        [acme, '99999999999999999999'],
        [other, asking],
      ] as const) {
        const { status, body } = await tenant.get(`/runs/${id}/missing`);
        expect([status, body]).toEqual([404, problem(404, 'run_not_found', `There is no run ${id}.`)]);
      }
      for (const [tenant, id] of [
        [acme, ignoring],
        [other, plain],
        [other, undone],
      ] as const) {
        const { status, body } = await tenant.get(`/runs/${id}/missing`);
        const detail =
          `Run ${id} does not ask for missing accounts: open a run with {"missing":"report"} or ` +
          '{"missing":"archive"}.';
        expect([status, body]).toEqual([409, problem(409, 'missing_not_asked', detail)]);
      }
    });
  });

  it.each([
    [{ missing: 'delete' }, ['/body/missing']],
    [{ missing: 'Archive' }, ['/body/missing']],
    [{ missing: '' }, ['/body/missing']],
    [{ missing: null }, ['/body/missing']],
    [{ missing: true }, ['/body/missing']],
    [{ missing: ['archive'] }, ['/body/missing']],
    [{ missing: { action: 'archive' } }, ['/body/missing']],
    [{ missing: 'archive', max_missing_percent: 5 }, ['/body/max_missing_percent']],
    [[], ['/body']],
    ['"archive"', ['/body']],
  ])('are not asked for with %j, and no run is opened', async (body, pointers) => {
    const acme = await server.tenant();
    const answer = await acme.call('POST', '/runs', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    const found = answer.body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect([...new Set(found)]).toEqual(pointers);
    expect((await acme.get('/runs')).body.data).toEqual([]);
    expect((await acme.get('/sources/default')).body.is_tracked).toBe(false);
  });

  it('are not asked for without a body, or with an empty one', async () => {
    const acme = await server.tenant();
    for (const body of [undefined, {}, { missing: 'ignore' }]) {
      const answer = await acme.call('POST', '/runs', body);
      expect([answer.status, answer.body.missing]).toEqual([201, null]);
    }
    expect((await acme.get('/sources/default')).body.is_tracked).toBe(false);
  });

  it.each([
    [{ max_missing_percent: -1 }, '/body/max_missing_percent'],
    [{ max_missing_percent: 101 }, '/body/max_missing_percent'],
    [{ max_missing_percent: '10' }, '/body/max_missing_percent'],
    [{ max_missing_percent: null }, '/body/max_missing_percent'],
    [{ max_missing_percent: true }, '/body/max_missing_percent'],
    [{ maxMissingPercent: 100 }, '/body/maxMissingPercent'],
    [{ abandon: 'true' }, '/body/abandon'],
    [[100], '/body'],
  ])('are not archived by %j, and the run stays open', async (body, pointer) => {
    const acme = await server.tenant();
    await mirror(acme, numbered(20));
    const run = await openAsking(acme);
    await push(acme, numbered(20).slice(1), { run });
    const answer = await finishAsking(acme, run, body);
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { code: 'invalid_request', errors: [{ pointer, detail: expect.any(String) }] },
    ]);
    expect(await show(acme, run)).toMatchObject({ state: 'open', archived: 0 });
    expect(await liveIds(acme)).toHaveLength(20);
  });

  it('are archived by keys of the same source with the scope sync only', async () => {
    const [acme, other] = [await server.tenant(), await server.tenant()];
    const crm = await keyOf(acme, 'crm');
    await mirror(acme, ['a'], crm.key);
    const run = await openAsking(acme, 'archive', crm.key);
    const all = { max_missing_percent: 100 };
    const finishBy = async (tenant: Tenant, key?: string) => {
      const { status, body } = await finishAsking(tenant, run, all, key);
      return [status, body.code];
    };
    expect(await finishBy(acme)).toEqual([409, 'run_of_other_source']);
    expect(await finishBy(other)).toEqual([404, 'run_not_found']);
    expect(await finishBy(acme, await acme.addKey(['read', 'admin']))).toEqual([403, 'scope_missing']);
    expect(await finishBy(acme, 'unknown')).toEqual([401, 'unauthenticated']);
    expect(await liveIds(acme)).toEqual(['a']);
    const listBy = async (key: string) =>
      (await acme.get(`/runs/${run}/missing`, headersOf(acme, { key }))).status;
    expect([
      await listBy(await acme.addKey(['read'])),
      await listBy(await acme.addKey(['sync'])),
      await listBy(await acme.addKey(['admin'])),
      await listBy('unknown'),
    ]).toEqual([200, 403, 403, 401]);
    expect(await finishBy(acme, crm.key)).toEqual([200, undefined]);
    expect(await liveIds(acme)).toEqual([]);
  });
});
