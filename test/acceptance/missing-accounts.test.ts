import { describe, expect, it } from 'vitest';
import { FreshSource, freshIds } from './fresh-source.js';
import { asJson, freshId, send, withKey } from './requests.js';
import { target } from './target.js';

const requestUndoBy = ({ key }: FreshSource, run: string) =>
  send(`/api/v2/runs/${run}/undo`, { headers: withKey(key) });

describe('the accounts that are missing from a run', () => {
  it('are archived when it is finished, and restored as soon as they are sent again', async () => {
    const crm = await FreshSource.create();
    const [kept, gone, other] = freshIds(3) as [string, string, string];
    const first = await crm.mirror([kept, gone, other]);
    expect([first.status, first.body]).toMatchObject([
      200,
      { state: 'finished', created: 3, archived: 0, missing: { action: 'archive', accounts: 0, of: 3 } },
    ]);
    const run = await crm.open('archive');
    const open = { action: 'archive', accounts: null, of: null };
    expect((await crm.call('GET', `/runs/${run}`)).body).toMatchObject({ state: 'open', missing: open });
    expect(await crm.missing(run)).toEqual([kept, gone, other]);
    await crm.push([kept, other], run);
    expect((await crm.call('GET', `/runs/${run}/missing`)).body).toEqual({
      data: [{ account_id: gone, name: `Name of ${gone}` }],
      next: null,
    });
    expect(await crm.isArchived(gone)).toBe(false);
    const requestId = freshId('finish');
    const finished = await crm.finish(run, { max_missing_percent: 34 }, requestId);
    const missing = { action: 'archive', accounts: 1, of: 3 };
    expect([finished.status, finished.body]).toMatchObject([
      200,
      { id: run, state: 'finished', created: 0, updated: 0, archived: 1, missing },
    ]);
    // Another process may count its requests within a second.
    const shown = async () => (await crm.call('GET', `/runs/${run}`)).body;
    await expect
      .poll(shown, { timeout: 5_000 })
      .toEqual({ ...finished.body, requests: 1, unchanged: 2, last_request_at: expect.any(String) });
    expect(await crm.missing(run)).toEqual([]);
    const archived = await Promise.all([kept, gone, other].map((id) => crm.isArchived(id)));
    expect(archived).toEqual([false, true, false]);
    const { data } = (await crm.call('GET', `/accounts/${gone}/history`)).body;
    expect(data[0]).toMatchObject({
      kind: 'archived',
      source: crm.name,
      run_id: run,
      request_id: requestId,
      changes: [],
    });
    const last = await crm.mirror([kept, gone, other]);
    expect(last.body).toMatchObject({ restored: 1, archived: 0, missing: { accounts: 0, of: 3 } });
    expect(await crm.isArchived(gone)).toBe(false);
  });

  it('are restored by the undo of the run', async () => {
    const crm = await FreshSource.create();
    const ids = freshIds(4);
    await crm.mirror(ids);
    const { body } = await crm.mirror(ids.slice(0, 1));
    expect(body).toMatchObject({ archived: 3, missing: { accounts: 3, of: 4 } });
    const { status, text } = await requestUndoBy(crm, body.id);
    expect(status).toBe(200);
    expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').summary).toMatchObject({
      restored: 3,
      archived: 0,
      conflicts: 0,
      is_complete: true,
    });
    expect(await Promise.all(ids.map((id) => crm.isArchived(id)))).toEqual(ids.map(() => false));
  });

  it('are counted only, if the run reports them', async () => {
    const crm = await FreshSource.create();
    const ids = freshIds(3);
    await crm.mirror(ids, { missing: 'report' });
    const { body } = await crm.mirror(ids.slice(1), { missing: 'report', max: 0 });
    expect(body).toMatchObject({
      state: 'finished',
      archived: 0,
      missing: { action: 'report', accounts: 1, of: 3 },
    });
    expect(await crm.isArchived(String(ids[0]))).toBe(false);
    expect(await crm.missing(body.id)).toEqual([ids[0]]);
  });

  it('are reported by default for a source that is tracked, and ignored for others', async () => {
    const crm = await FreshSource.create();
    const ids = freshIds(2);
    const tracked = async () => (await crm.call('GET', `/sources/${crm.name}`)).body.is_tracked;
    const plain = await crm.open();
    await crm.push(ids, plain);
    expect((await crm.finish(plain)).body.missing).toBeNull();
    expect(await tracked()).toBe(false);
    const unasked = await crm.call('GET', `/runs/${plain}/missing`);
    expect([unasked.status, unasked.body.code]).toEqual([409, 'missing_not_asked']);
    await crm.mirror(ids, { missing: 'report' });
    expect(await tracked()).toBe(true);
    const reporting = await crm.open();
    await crm.push(ids.slice(1), reporting);
    expect((await crm.finish(reporting)).body.missing).toEqual({ action: 'report', accounts: 1, of: 2 });
    const ignoring = await crm.open('ignore');
    expect((await crm.finish(ignoring)).body.missing).toBeNull();
    expect(await tracked()).toBe(true);
  });

  it('are not archived if they are too many, until the caller says so', async () => {
    const crm = await FreshSource.create();
    const ids = freshIds(10);
    await crm.mirror(ids);
    const run = await crm.open('archive');
    await crm.push(ids.slice(2), run);
    // 20 % are missing, and 10 % are allowed by default.
    for (const body of [undefined, { max_missing_percent: 19 }]) {
      const refused = await crm.finish(run, body);
      expect([refused.status, refused.body.code]).toEqual([409, 'too_many_missing']);
    }
    expect((await crm.call('GET', `/runs/${run}`)).body).toMatchObject({
      state: 'open',
      archived: 0,
      missing: { action: 'archive', accounts: null, of: null },
    });
    expect(await crm.missing(run)).toEqual(ids.slice(0, 2));
    await crm.push(ids.slice(1, 2), run);
    const finished = await crm.finish(run);
    expect([finished.status, finished.body]).toMatchObject([
      200,
      { state: 'finished', archived: 1, missing: { accounts: 1, of: 10 } },
    ]);
  });

  it('stay if the run is abandoned', async () => {
    const crm = await FreshSource.create();
    const ids = freshIds(2);
    await crm.mirror(ids);
    const run = await crm.open('archive');
    expect((await crm.finish(run)).status).toBe(409);
    const ended = await crm.finish(run, { abandon: true });
    expect([ended.status, ended.body]).toMatchObject([
      200,
      { state: 'abandoned', archived: 0, missing: { action: 'archive', accounts: null, of: null } },
    ]);
    expect(await Promise.all(ids.map((id) => crm.isArchived(id)))).toEqual([false, false]);
    expect((await crm.mirror(ids)).body.missing).toEqual({ action: 'archive', accounts: 0, of: 2 });
  });

  it('are never those of other sources only', async () => {
    const [crm, erp] = [await FreshSource.create(), await FreshSource.create()];
    const [own, shared, theirs] = freshIds(3) as [string, string, string];
    await erp.mirror([shared, theirs]);
    await crm.mirror([own, shared]);
    const { body } = await crm.mirror([own]);
    expect(body).toMatchObject({ archived: 1, missing: { accounts: 1, of: 2 } });
    expect(await Promise.all([own, shared, theirs].map((id) => crm.isArchived(id)))).toEqual([
      false,
      true,
      false,
    ]);
    // An archived account does not count for any source.
    const other = await erp.mirror([theirs]);
    expect(other.body.missing).toEqual({ action: 'archive', accounts: 0, of: 1 });
  });

  it('are not archived again if another source has restored them, until the first one sends them', async () => {
    const [crm, erp] = [await FreshSource.create(), await FreshSource.create()];
    const [kept, moved] = freshIds(2) as [string, string];
    await crm.mirror([kept, moved]);
    expect((await crm.mirror([kept])).body.archived).toBe(1);
    await erp.push([moved]);
    expect(await crm.isArchived(moved)).toBe(false);
    const next = await crm.mirror([kept]);
    expect(next.body).toMatchObject({ archived: 0, missing: { accounts: 0, of: 1 } });
    expect(await crm.isArchived(moved)).toBe(false);
    await crm.push([moved]);
    const last = await crm.mirror([kept]);
    expect(last.body).toMatchObject({ archived: 1, missing: { accounts: 1, of: 2 } });
    expect(await crm.isArchived(moved)).toBe(true);
  });

  it('include those that the source has created before it was tracked, not those it has updated', async () => {
    const [crm, erp] = [await FreshSource.create(), await FreshSource.create()];
    const [created, kept, updated] = freshIds(3) as [string, string, string];
    await erp.push([updated]);
    await crm.push([created, kept]);
    const record = JSON.stringify({ account_id: updated, licenses: 7 });
    const headers = { ...asJson, ...withKey(crm.key) };
    expect((await send('/api/v1_1/account', { headers, body: record })).status).toBe(200);
    const { body } = await crm.mirror([kept]);
    expect(body).toMatchObject({ archived: 1, missing: { accounts: 1, of: 2 } });
    expect(await Promise.all([created, kept, updated].map((id) => crm.isArchived(id)))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('are not those that were sent since the run was opened, in whichever way', async () => {
    const crm = await FreshSource.create();
    const ids = freshIds(7);
    const [single, batch, imported, outside, rejected, dry, silent] = ids as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    await crm.mirror(ids);
    const run = await crm.open('archive');
    const ofRun = { ...withKey(crm.key), 'account-sync-run': run };
    const post = (path: string, body: unknown, headers: Record<string, string>) =>
      send(path, { headers: { ...asJson, ...headers }, body: JSON.stringify(body) });
    expect((await post('/api/v1_1/account', { account_id: single }, ofRun)).status).toBe(200);
    expect((await post('/api/v1_1/accounts', [{ account_id: batch }], ofRun)).status).toBe(200);
    expect((await post('/api/v2/accounts/import', [{ account_id: imported }], ofRun)).status).toBe(200);
    expect((await post('/api/v1_1/account', { account_id: outside }, withKey(crm.key))).status).toBe(200);
    const invalid = { account_id: rejected, custom_Integer: 'none' };
    expect((await post('/api/v1_1/account', invalid, ofRun)).status).toBe(400);
    const dryRun = await post(
      '/api/v2/accounts/import?dry_run=true',
      [{ account_id: dry }],
      withKey(crm.key),
    );
    expect(dryRun.status).toBe(200);
    expect(await crm.missing(run)).toEqual([dry, silent]);
    const { body } = await crm.finish(run, { max_missing_percent: 100 });
    expect(body).toMatchObject({ archived: 2, missing: { accounts: 2, of: 7 } });
  });

  it('are archived once if the run is finished several times, also at the same time', async () => {
    const crm = await FreshSource.create();
    const ids = freshIds(300);
    await crm.mirror(ids);
    const run = await crm.open('archive');
    await crm.push(ids.slice(0, 100), run);
    const body = { max_missing_percent: 100 };
    const answers = await Promise.all(Array.from({ length: 4 }, () => crm.finish(run, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const again = await crm.finish(run, { max_missing_percent: 0 });
    const missing = { action: 'archive', accounts: 200, of: 300 };
    expect([again.status, again.body]).toMatchObject([200, { state: 'finished', archived: 200, missing }]);
    const { data } = (await crm.call('GET', `/accounts/${ids.at(-1)}/history`)).body;
    expect(data.map(({ kind }: { kind: string }) => kind)).toEqual(['archived', 'created']);
  });

  it('are asked for with the scope read, in an own run that exists', async () => {
    const crm = await FreshSource.create();
    const run = await crm.open('report');
    const status = async (id: string, headers: Record<string, string>) =>
      (await send(`/api/v2/runs/${id}/missing`, { method: 'GET', headers })).status;
    expect(await status(run, withKey(target.keys.readOnly))).toBe(200);
    expect(await status(run, withKey(target.keys.admin))).toBe(403);
    expect(await status(run, withKey(target.keys.strict))).toBe(403);
    expect(await status(run, {})).toBe(401);
    expect(await status('999999999', withKey(target.keys.readOnly))).toBe(404);
    for (const body of [{ missing: 'delete' }, { missing: null }, { missing: true }, { absent: 'archive' }]) {
      const refused = await crm.call('POST', '/runs', body);
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
    }
  });

  it('are not asked for by implicit runs and by undos', async () => {
    const crm = await FreshSource.create();
    const ids = freshIds(2);
    const { body } = await crm.mirror(ids);
    await crm.push(ids);
    expect((await requestUndoBy(crm, body.id)).status).toBe(200);
    const runs = (await crm.call('GET', `/runs?source=${crm.name}`)).body.data;
    expect(runs.map(({ kind, missing }: { kind: string; missing: unknown }) => [kind, missing])).toEqual([
      ['undo', null],
      ['implicit', null],
      ['explicit', { action: 'archive', accounts: 0, of: 2 }],
    ]);
  });
});
