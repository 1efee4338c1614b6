import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { FairScheduler } from './fair-scheduler.js';

afterEach(() => void vi.useRealTimers());

it('runs one piece per turn of the event loop', async () => {
  const scheduler = new FairScheduler();
  const done: number[] = [];
  for (const n of [1, 2, 3]) scheduler.enqueue(1, () => done.push(n));
  const seen: number[] = [done.length];
  for (let turn = 0; turn < 4; turn += 1) {
    await nextTurn();
    seen.push(done.length);
  }
  expect(seen).toEqual([0, 1, 2, 3, 3]);
  expect(done).toEqual([1, 2, 3]);
});

it('serves tenants in round-robin order, however much work each has', async () => {
  const scheduler = new FairScheduler();
  const done: string[] = [];
  for (const name of ['a1', 'a2', 'a3']) scheduler.enqueue(1, () => done.push(name));
  for (const name of ['b1', 'b2']) scheduler.enqueue(2, () => done.push(name));
  await scheduler.waitForTurn(3);
  expect(done).toEqual(['a1', 'b1']);
  await scheduler.waitForTurn(3);
  expect(done).toEqual(['a1', 'b1', 'a2', 'b2']);
});

it('neither runs a removed piece nor spends a turn on it', async () => {
  const scheduler = new FairScheduler();
  const done: string[] = [];
  const removed = () => done.push('removed');
  scheduler.enqueue(1, removed);
  scheduler.enqueue(1, () => done.push('kept'));
  scheduler.remove(1, removed);
  await nextTurn();
  expect(done).toEqual(['kept']);
  scheduler.enqueue(1, removed);
  scheduler.remove(1, removed);
  for (const n of [1, 2]) scheduler.enqueue(1, () => done.push(`later ${n}`));
  await nextTurn();
  expect(done).toEqual(['kept', 'later 1']);
  await nextTurn();
  expect(done).toEqual(['kept', 'later 1', 'later 2']);
});

it('with an interval, runs a burst and then one piece per interval', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] });
  vi.advanceTimersByTime(1_000);
  const scheduler = new FairScheduler(10, 30);
  let done = 0;
  const repeat = () =>
    scheduler.enqueue(1, () => {
      done += 1;
      repeat();
    });
  repeat();
  await vi.advanceTimersByTimeAsync(9);
  const burst = done;
  await vi.advanceTimersByTimeAsync(100);
  const afterwards = done - burst;
  expect([burst, afterwards]).toEqual([4, 10]);
});
