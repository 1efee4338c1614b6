import { describe, expect, it } from 'vitest';
import { expectStored } from './expectations.js';
import { single, sync } from './operations.js';
import { freshId, send } from './requests.js';
import { finishRun, openRun, read, requestUndo, runOf, summary, undo } from './runs.js';
import { target } from './target.js';

const show = async (id: string) => (await read(`/accounts/${id}`)).body;

describe('the undo of a run', () => {
  it('returns fields to their values, and archives new accounts; its undo does the reverse', async () => {
    const [old, young] = [freshId(), freshId()];
    await expectStored(single, { account_id: old, name: 'A', licenses: 1, extra: [1] }, 'created');
    const run = await runOf(
      [
        { account_id: old, name: 'B', licenses: null },
        { account_id: young, name: 'New' },
      ],
      [{ account_id: old, extra: { x: 1 }, parent_account_id: young }],
    );
    const dry = await undo(run, { dry_run: true });
    const first = await undo(run);
    expect(first).toEqual({ conflicts: [], summary: summary(run, { changes: 3, updated: 1, archived: 1 }) });
    expect(dry.summary).toEqual({ ...first.summary, run_id: null, dry_run: true });
    const before = { name: 'A', parent_account_id: null, fields: { licenses: 1, extra: [1] } };
    expect(await show(old)).toMatchObject({ ...before, archived_at: null });
    expect(await show(young)).toMatchObject({ archived_at: expect.any(String) });
    const id = String(first.summary.run_id);
    expect((await read(`/runs/${run}`)).body).toMatchObject({ undone_by: id });
    expect((await read(`/runs/${id}`)).body).toMatchObject({
      kind: 'undo',
      state: 'finished',
      undo: { run_id: run, request_id: null, force: false, changes: 3, examined: 3, conflicts: 0 },
    });
    const second = await undo(id);
    expect(second.summary).toEqual(summary(id, { changes: 2, updated: 1, restored: 1 }));
    expect(await show(old)).toMatchObject({
      name: 'B',
      parent_account_id: young,
      fields: { extra: { x: 1 } },
    });
    expect(await show(young)).toMatchObject({ name: 'New', archived_at: null });
  });

  it('leaves what was changed since, unless it is forced', async () => {
    const account_id = freshId();
    await expectStored(single, { account_id, licenses: 1 }, 'created');
    const run = await runOf([{ account_id, licenses: 2 }]);
    await expectStored(single, { account_id, licenses: 3 }, 'updated');
    const conflict = { account_id, field: 'licenses', reason: 'changed', before: 1, left: 2, now: 3 };
    expect(await undo(run)).toEqual({
      conflicts: [conflict],
      summary: summary(run, { changes: 1, conflicts: 1 }),
    });
    expect((await show(account_id)).fields).toEqual({ licenses: 3 });
    expect(await undo(run, { force: true })).toEqual({
      conflicts: [],
      summary: summary(run, { changes: 1, updated: 1 }),
    });
    expect((await show(account_id)).fields).toEqual({ licenses: 1 });
  });

  it('has the same result if it is requested many times at once', async () => {
    const account_id = freshId();
    await expectStored(single, { account_id, licenses: 1 }, 'created');
    const run = await runOf([{ account_id, licenses: 2 }, { account_id: freshId() }]);
    const answers = await Promise.all(Array.from({ length: 4 }, () => requestUndo(run)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await show(account_id)).fields).toEqual({ licenses: 1 });
    expect(answers.some(({ text }) => text.includes('"is_complete":true'))).toBe(true);
    await sync(single, { account_id, licenses: 5 });
    expect((await show(account_id)).fields).toEqual({ licenses: 5 });
  });

  it('is refused while the run is open, for an unknown run, and without the scope sync', async () => {
    const run = await openRun();
    const code = (text: string) => JSON.parse(text).code;
    const open = await requestUndo(run);
    expect([open.status, code(open.text)]).toEqual([409, 'run_open']);
    await finishRun(run);
    const unknown = await requestUndo('999999999');
    expect([unknown.status, code(unknown.text)]).toEqual([404, 'run_not_found']);
    expect((await requestUndo(run, {}, target.keys.readOnly)).status).toBe(403);
    expect((await requestUndo(run, {}, target.keys.strict)).status).toBe(404);
    expect((await requestUndo(run, { all: true })).status).toBe(400);
    expect((await send(`/api/v2/runs/${run}/undo`)).status).toBe(401);
  });
});
