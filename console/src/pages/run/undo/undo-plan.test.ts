import type { Run, UndoState } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { exampleRun } from '../../../components/example-run';
import { planUndo, titleOf, undoneOf, undoneText } from './undo-plan';

const run = (parts: Partial<Run> = {}): Run => exampleRun({ created: 1, ...parts });

const undo = (state: Run['state'], parts: Partial<UndoState> = {}): Run =>
  run({
    id: '13',
    kind: 'undo',
    state,
    undo: { run_id: '12', request_id: null, force: false, changes: 9, examined: 4, conflicts: 1, ...parts },
  });

describe('planUndo', () => {
  it('undoes a run that has ended, or a complete undo', () => {
    const whole = { requestId: null, force: false, interrupted: null };
    expect(planUndo(run(), undefined)).toEqual({ runId: '12', ...whole });
    expect(planUndo(run({ state: 'abandoned' }), undo('finished'))).toEqual({ runId: '12', ...whole });
    expect(planUndo(undo('finished'), undefined)).toEqual({ runId: '13', ...whole });
  });

  it('continues an open undo with the same options, on its own page and on that of the undone run', () => {
    const open = undo('open', { request_id: 'job-7', force: true });
    const plan = { runId: '12', requestId: 'job-7', force: true, interrupted: open.undo };
    expect(planUndo(open, undefined)).toEqual(plan);
    expect(planUndo(run(), open)).toEqual(plan);
  });

  it('gives a reason for an open run, and for one without changes', () => {
    expect(planUndo(run({ state: 'open' }), undefined)).toEqual({
      reason: 'A run can be undone once it has ended.',
    });
    expect(planUndo(run({ created: 0, unchanged: 5 }), undefined)).toEqual({
      reason: 'This run has changed nothing that could be undone.',
    });
    expect(planUndo(run({ created: 0, archived: 1 }), undefined)).toMatchObject({ runId: '12' });
  });
});

describe('undoneText', () => {
  it('says how far the undo is, and what it takes back', () => {
    expect(undoneText(undefined)).toBe('Undone by');
    expect(undoneText(undo('finished'))).toBe('Undone by');
    expect(undoneText(undo('open'))).toBe('Being undone by');
    expect(undoneText(undo('abandoned'))).toBe('Partly undone by');
    expect(undoneText(undo('finished', { request_id: 'job-7' }))).toBe('Request job-7 undone by');
  });
});

describe('the texts of the dialog', () => {
  const plan = { runId: '12', force: false, interrupted: null };

  it('name the run, or that it is one request of it', () => {
    expect([titleOf({ ...plan, requestId: null }), undoneOf({ requestId: null })]).toEqual([
      'Undo run 12',
      'run',
    ]);
    expect([titleOf({ ...plan, requestId: 'job-7' }), undoneOf({ requestId: 'job-7' })]).toEqual([
      'Undo one request of run 12',
      'request',
    ]);
    const interrupted = undo('open', { request_id: 'job-7' }).undo;
    expect(titleOf({ ...plan, requestId: 'job-7', interrupted })).toBe(
      'Continue the undo of one request of run 12',
    );
  });
});
