import { expect, it } from 'vitest';
import { RoundRobinQueue } from './round-robin-queue.js';

it('serves tenants in turn, however many items each has', () => {
  const queue = new RoundRobinQueue<string>();
  for (const item of ['a1', 'a2', 'a3']) queue.push(1, item);
  for (const item of ['b1', 'b2']) queue.push(2, item);
  expect([queue.lengthOf(1), queue.lengthOf(2), queue.lengthOf(3)]).toEqual([3, 2, 0]);
  expect(Array.from({ length: 6 }, () => queue.shift())).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', undefined]);
});
