import { expect, it } from 'vitest';
import { Selection } from './item-selection.js';
import type { Item } from './items.js';

async function* batches(...sizes: number[]): AsyncGenerator<Item[]> {
  let line = 0;
  for (const size of sizes) {
    yield Array.from({ length: size }, () => ({ line: ++line, record: '', original: '' }));
  }
}

async function linesOf(selection: Selection, ...sizes: number[]): Promise<number[]> {
  const lines: number[] = [];
  for await (const batch of selection.of(batches(...sizes))) lines.push(...batch.map(({ line }) => line));
  return lines;
}

it.each([
  ['all', {}, [1, 2, 3, 4, 5, 6], false],
  ['those behind an earlier run', { skip: 3 }, [4, 5, 6], false],
  ['none where an earlier run had them all', { skip: 6 }, [], false],
  ['so many as the limit lets', { limit: 3 }, [1, 2, 3], true],
  ['so many behind an earlier run', { skip: 1, limit: 2 }, [2, 3], true],
  ['all where the limit is just so many', { limit: 6 }, [1, 2, 3, 4, 5, 6], false],
])('selects %s', async (_what, options, lines, isLimited) => {
  const selection = new Selection(options);
  expect(await linesOf(selection, 2, 0, 2, 2)).toEqual(lines);
  expect(selection.isLimited).toBe(isLimited);
});

it('ends behind the batch in which somebody asks to stop', async () => {
  const selection = new Selection({});
  const lines: number[] = [];
  for await (const batch of selection.of(batches(2, 2, 2))) {
    lines.push(...batch.map(({ line }) => line));
    if (lines.length === 4) selection.stop();
  }
  expect([lines, selection.read]).toEqual([[1, 2, 3, 4], 4]);
});

it('ends within a batch that is more than a request takes', async () => {
  const selection = new Selection({ skip: 100 });
  const sizes: number[] = [];
  for await (const batch of selection.of(batches(1_000))) {
    sizes.push(batch.length);
    if (sizes.length === 2) selection.stop();
  }
  expect(sizes).toEqual([250, 250]);
});

it('ends though the next batch does not come', async () => {
  const selection = new Selection({});
  async function* silent(): AsyncGenerator<Item[]> {
    yield* batches(2);
    await new Promise(() => {});
  }
  const selected = selection.of(silent());
  await selected.next();
  const next = selected.next();
  selection.stop();
  expect(await next).toEqual({ value: undefined, done: true });
});
