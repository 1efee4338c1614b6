import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { FairScheduler } from './fair-scheduler.js';

afterEach(() => void vi.useRealTimers());

it('one piece is worked on in each turn of the event loop', async () => {
  const turns = new FairScheduler();
  const done: number[] = [];
  for (const n of [1, 2, 3]) turns.take(1, () => done.push(n));
  const seen: number[] = [done.length];
  for (let turn = 0; turn < 4; turn += 1) {
    await nextTurn();
    seen.push(done.length);
  }
  expect(seen).toEqual([0, 1, 2, 3, 3]);
  expect(done).toEqual([1, 2, 3]);
});

it('tenants take turns, whatever each of them brings', async () => {
  const turns = new FairScheduler();
  const done: string[] = [];
  for (const name of ['a1', 'a2', 'a3']) turns.take(1, () => done.push(name));
  for (const name of ['b1', 'b2']) turns.take(2, () => done.push(name));
  await turns.turn(3);
  expect(done).toEqual(['a1', 'b1']);
  await turns.turn(3);
  expect(done).toEqual(['a1', 'b1', 'a2', 'b2']);
});

it('a piece that was dropped is not worked on, and keeps nobody waiting', async () => {
  const turns = new FairScheduler();
  const done: string[] = [];
  const dropped = () => done.push('dropped');
  turns.take(1, dropped);
  turns.take(1, () => done.push('kept'));
  turns.drop(1, dropped);
  await nextTurn();
  expect(done).toEqual(['kept']);
  turns.take(1, dropped);
  turns.drop(1, dropped);
  for (const n of [1, 2]) turns.take(1, () => done.push(`later ${n}`));
  await nextTurn();
  expect(done).toEqual(['kept', 'later 1']);
  await nextTurn();
  expect(done).toEqual(['kept', 'later 1', 'later 2']);
});

it('with an interval, pieces come at once for what was saved, and then one in each interval', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] });
  vi.advanceTimersByTime(1_000);
  const turns = new FairScheduler(10, 30);
  let done = 0;
  const bring = () =>
    turns.take(1, () => {
      done += 1;
      bring();
    });
  bring();
  await vi.advanceTimersByTimeAsync(9);
  const atOnce = done;
  await vi.advanceTimersByTimeAsync(100);
  const afterwards = done - atOnce;
  expect([atOnce, afterwards]).toEqual([4, 10]);
});
