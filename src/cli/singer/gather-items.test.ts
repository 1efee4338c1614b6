import { expect, it } from 'vitest';
import { gatherItems } from './gather-items.js';
import type { SingerItem } from './stream-plan.js';

const item = (line: number, characters = 100): SingerItem => ({
  line,
  characters,
  record: { account_id: line },
  original: '',
});
const items = (count: number, characters?: number) =>
  Array.from({ length: count }, (_, at) => item(at + 1, characters));

async function* inPieces(...pieces: (readonly SingerItem[])[]) {
  yield* pieces;
}

async function sizes(batches: AsyncGenerator<readonly SingerItem[]>): Promise<number[]> {
  const lengths = [];
  for await (const batch of batches) lengths.push(batch.length);
  return lengths;
}

it('items of several pieces share a request of at most 250', async () => {
  expect(await sizes(gatherItems(inPieces(items(100), items(100), items(400), items(1))))).toEqual([
    250, 250, 101,
  ]);
});

it('large items make smaller requests', async () => {
  expect(await sizes(gatherItems(inPieces(items(5, 400_000))))).toEqual([3, 2]);
});

it('a piece without items passes if nothing waits', async () => {
  expect(await sizes(gatherItems(inPieces([], items(1), [])))).toEqual([0, 1]);
});

it('an item that waits for others is sent after a while', async () => {
  async function* silent() {
    yield items(2);
    await new Promise(() => {});
  }
  const batches = gatherItems(silent(), 1);
  expect((await batches.next()).value).toHaveLength(2);
});

it('what came before a failure is passed first', async () => {
  async function* failing() {
    yield items(2);
    throw new Error('line 3');
  }
  const batches = gatherItems(failing());
  expect((await batches.next()).value).toHaveLength(2);
  await expect(batches.next()).rejects.toThrow('line 3');
});
