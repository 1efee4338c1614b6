import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { BodyThrottle } from './throttle-body.js';

const KIB = 1024;
const throttle = new BodyThrottle();

/** A body that came in parts of the same size, and is not complete. */
function bodyOf(parts: number, bytes: number): IncomingMessage {
  const body = new Readable({ read() {} });
  for (let i = 0; i < parts; i += 1) body.push(Buffer.alloc(bytes));
  return Object.assign(body, { complete: false }) as unknown as IncomingMessage;
}

/** How many parts of it are taken in each of the next turns of the event loop. */
async function takenIn(turns: number, body: IncomingMessage): Promise<number[]> {
  let taken = 0;
  body.on('data', () => {
    taken += 1;
  });
  const counts: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    await nextTurn();
    counts.push(taken);
    taken = 0;
  }
  return counts;
}

it('a large body is taken piece by piece, one in each turn of the event loop', async () => {
  const body = bodyOf(4, 64 * KIB);
  throttle.throttle(body, Number.POSITIVE_INFINITY, 1);
  expect(await takenIn(6, body)).toEqual([1, 1, 1, 1, 0, 0]);
});

it('a small body is taken at once', async () => {
  const body = bodyOf(4, 7 * KIB);
  throttle.throttle(body, Number.POSITIVE_INFINITY, 1);
  expect((await takenIn(1, body))[0]).toBe(4);
});

it('a body of very many parts is taken some hundred at a time', async () => {
  const body = bodyOf(600, 1);
  throttle.throttle(body, Number.POSITIVE_INFINITY, 1);
  expect(await takenIn(4, body)).toEqual([256, 256, 88, 0]);
});

it('a body that nobody wants any more goes on from where it is, in the same way', async () => {
  const body = bodyOf(3, 64 * KIB);
  throttle.throttle(body, Number.POSITIVE_INFINITY, 1);
  expect(await takenIn(1, body)).toEqual([1]);
  throttle.drain(body);
  expect(await takenIn(4, body)).toEqual([1, 1, 0, 0]);
});

it('of very many bodies that nobody wants, the first that waits is cut off', async () => {
  const bodies = Array.from({ length: 101 }, () => bodyOf(4, 64 * KIB));
  for (const body of bodies) throttle.drain(body);
  await nextTurn();
  expect(bodies.filter(({ destroyed }) => destroyed)).toEqual([bodies[0]]);
  for (const body of bodies) body.destroy();
});

it('a body that has come whole is never cut off, and waits for nobody', async () => {
  const bodies = Array.from({ length: 101 }, () => bodyOf(4, 64 * KIB));
  for (const body of bodies) {
    throttle.drain(body);
    body.complete = body === bodies[0];
  }
  await nextTurn();
  expect(bodies.filter(({ destroyed }) => destroyed)).toEqual([]);
  expect(bodies.filter(({ readableLength }) => readableLength === 0)).toEqual([bodies[0]]);
  for (const body of bodies) body.destroy();
});
