import type { Run } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { exampleRun } from '../../components/example-run';
import { describeRuns, sparkBars } from './spark-bars';

const run = (id: string, parts: Partial<Run> = {}): Run => exampleRun({ id, ...parts });

describe('sparkBars', () => {
  it('has the oldest run first, each relative to the largest', () => {
    const runs = [
      run('3', { state: 'open', updated: 20 }),
      run('2', { created: 30, updated: 10, rejected: 40 }),
    ];
    expect(sparkBars([...runs, run('1')])).toEqual([
      { id: '1', state: 'finished', changed: 0, rejected: 0 },
      { id: '2', state: 'finished', changed: 0.5, rejected: 0.5 },
      { id: '3', state: 'open', changed: 0.25, rejected: 0 },
    ]);
  });

  it('has empty bars for runs without changes', () => {
    expect(sparkBars([run('1', { unchanged: 5 })])).toMatchObject([{ changed: 0, rejected: 0 }]);
  });
});

describe('describeRuns', () => {
  it('names the newest run, and how many had problems', () => {
    expect(describeRuns([])).toBe('No run so far.');
    expect(describeRuns([run('1', { created: 1 })])).toBe(
      '1 recent run. The newest changed 1 record and rejected 0.',
    );
    const runs = [run('3', { updated: 2, rejected: 1 }), run('2', { state: 'abandoned' }), run('1')];
    expect(describeRuns(runs)).toBe(
      '3 recent runs. The newest changed 2 records and rejected 1. 1 run with rejections. 1 abandoned.',
    );
  });
});
