import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBounded } from './bounded-read.js';

const PAGE_BYTES = 512 * 1024;

/** A table whose rows have texts of these sizes. */
function table(sizes: readonly number[]) {
  const asked: number[] = [];
  const read = async (limit: number, bytes: number, last: { id: number } | undefined) => {
    asked.push(limit);
    const begin = last === undefined ? 0 : last.id + 1;
    return sizes.slice(begin, begin + limit).map((size, i) => ({
      id: begin + i,
      size,
      text: size <= bytes ? `${begin + i}` : (null as unknown as string),
    }));
  };
  return { read, asked };
}

describe('a page of rows with a long column', () => {
  it('holds complete rows, up to the limit or the bytes of a page, and at least one', async () => {
    const sizes = fc.oneof(
      fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 1_100 }),
      fc.array(fc.integer({ min: 0, max: 2 * PAGE_BYTES }), { maxLength: 20 }),
      fc.array(fc.constantFrom(10, 1_000, 100_000), { maxLength: 600 }),
    );
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 1_001 }), async (all, limit) => {
        const { read, asked } = table(all);
        const { rows, isCut } = await readBounded(limit, 'text', read);
        expect(rows.map(({ text }) => text)).toEqual(rows.map((_, i) => `${i}`));
        const bytes = (count: number) => all.slice(0, count).reduce((sum, size) => sum + size, 0);
        expect(rows.length <= 1 || bytes(rows.length) <= PAGE_BYTES).toBe(true);
        const wanted = Math.min(limit, all.length);
        expect(isCut).toBe(rows.length < wanted);
        if (isCut) expect(bytes(rows.length + 1)).toBeGreaterThan(PAGE_BYTES);
        expect(Math.max(...asked)).toBeLessThanOrEqual(251);
      }),
    );
  });

  it('lets the event loop serve other requests between its pieces', async () => {
    const { read, asked } = table(Array(1_000).fill(10));
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await readBounded(1_000, 'text', read);
    clearImmediate(next);
    expect(asked).toEqual([251, 251, 251, 247]);
    expect(turns).toBe(3);
  });
});
