import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { BodyThrottle } from './throttle-body.js';

const KIB = 1024;
const throttle = new BodyThrottle();

/** A body of chunks of one size that has not arrived completely. */
function bodyOf(chunks: number, bytes: number): IncomingMessage {
  const body = new Readable({ read() {} });
  for (let i = 0; i < chunks; i += 1) body.push(Buffer.alloc(bytes));
  return Object.assign(body, { complete: false }) as unknown as IncomingMessage;
}

/** How many chunks are read in each of the next turns of the event loop. */
async function chunksPerTurn(turns: number, body: IncomingMessage): Promise<number[]> {
  let read = 0;
  body.on('data', () => {
    read += 1;
  });
  const counts: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    await nextTurn();
    counts.push(read);
    read = 0;
  }
  return counts;
}

it('reads a large body in pieces, one per turn of the event loop', async () => {
  const body = bodyOf(4, 64 * KIB);
  throttle.throttle(body, Number.POSITIVE_INFINITY, 1);
  expect(await chunksPerTurn(6, body)).toEqual([1, 1, 1, 1, 0, 0]);
});

it('reads a small body in one turn', async () => {
  const body = bodyOf(4, 7 * KIB);
  throttle.throttle(body, Number.POSITIVE_INFINITY, 1);
  expect((await chunksPerTurn(1, body))[0]).toBe(4);
});

it('reads 256 chunks per turn of a body with very many chunks', async () => {
  const body = bodyOf(600, 1);
  throttle.throttle(body, Number.POSITIVE_INFINITY, 1);
  expect(await chunksPerTurn(4, body)).toEqual([256, 256, 88, 0]);
});

it('drains the rest of a body in pieces, too', async () => {
  const body = bodyOf(3, 64 * KIB);
  throttle.throttle(body, Number.POSITIVE_INFINITY, 1);
  expect(await chunksPerTurn(1, body)).toEqual([1]);
  throttle.drain(body);
  expect(await chunksPerTurn(4, body)).toEqual([1, 1, 0, 0]);
});

it('closes the oldest of too many bodies that are drained', async () => {
  const bodies = Array.from({ length: 101 }, () => bodyOf(4, 64 * KIB));
  for (const body of bodies) throttle.drain(body);
  await nextTurn();
  expect(bodies.filter(({ destroyed }) => destroyed)).toEqual([bodies[0]]);
  for (const body of bodies) body.destroy();
});

it('neither closes nor delays a body that has arrived completely', async () => {
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
