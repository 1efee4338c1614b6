import { expect, it } from 'vitest';
import { ItemSelection } from './item-selection.js';
import type { ImportItem } from './items.js';

async function* batches(...sizes: number[]): AsyncGenerator<ImportItem[]> {
  let line = 0;
  for (const size of sizes) {
    yield Array.from({ length: size }, () => ({ line: ++line, record: '', original: '' }));
  }
}

async function linesOf(selection: ItemSelection, ...sizes: number[]): Promise<number[]> {
  const lines: number[] = [];
  for await (const batch of selection.chunks(batches(...sizes))) lines.push(...batch.map(({ line }) => line));
  return lines;
}

it.each([
  ['all', {}, [1, 2, 3, 4, 5, 6], false],
  ['the items after an earlier run', { skip: 3 }, [4, 5, 6], false],
  ['none if an earlier run sent all', { skip: 6 }, [], false],
  ['the items up to the limit', { limit: 3 }, [1, 2, 3], true],
  ['the items up to the limit after an earlier run', { skip: 1, limit: 2 }, [2, 3], true],
  ['all if the limit is the number of items', { limit: 6 }, [1, 2, 3, 4, 5, 6], false],
])('selects %s', async (_what, options, lines, isLimited) => {
  const selection = new ItemSelection(options);
  expect(await linesOf(selection, 2, 0, 2, 2)).toEqual(lines);
  expect(selection.isLimited).toBe(isLimited);
});

it('ends after the batch during which a stop is requested', async () => {
  const selection = new ItemSelection({});
  const lines: number[] = [];
  for await (const batch of selection.chunks(batches(2, 2, 2))) {
    lines.push(...batch.map(({ line }) => line));
    if (lines.length === 4) selection.stop();
  }
  expect([lines, selection.read]).toEqual([[1, 2, 3, 4], 4]);
});

it('ends within a batch that is larger than a request', async () => {
  const selection = new ItemSelection({ skip: 100 });
  const sizes: number[] = [];
  for await (const batch of selection.chunks(batches(1_000))) {
    sizes.push(batch.length);
    if (sizes.length === 2) selection.stop();
  }
  expect(sizes).toEqual([250, 250]);
});

it('ends even if the next batch never arrives', async () => {
  const selection = new ItemSelection({});
  async function* silent(): AsyncGenerator<ImportItem[]> {
    yield* batches(2);
    await new Promise(() => {});
  }
  const selected = selection.chunks(silent());
  await selected.next();
  const next = selected.next();
  selection.stop();
  expect(await next).toEqual({ value: undefined, done: true });
});
