import { describe, expect, it } from 'vitest';
import { BatchedLookups } from './batched-lookups.js';

/** A database that answers when the test says so. */
class SlowDatabase {
  readonly asked: (readonly string[])[] = [];
  readonly #answers: ((error?: Error) => void)[] = [];

  findAll = (hashes: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    this.asked.push(hashes);
    const known = hashes.filter((hash) => hash.startsWith('known'));
    return new Promise((resolve, reject) =>
      this.#answers.push((error) =>
        error === undefined ? resolve(new Map(known.map((hash) => [hash, `of ${hash}`]))) : reject(error),
      ),
    );
  };

  async answer(error?: Error): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#answers.shift()?.(error);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

describe('lookups', () => {
  it('that come at the same time are one query, and each gets its own answer', async () => {
    const database = new SlowDatabase();
    const lookups = new BatchedLookups(database.findAll);
    const found = Promise.all(['known-1', 'x', 'known-2', 'x'].map((hash) => lookups.find(hash)));
    await database.answer();
    expect(await found).toEqual(['of known-1', undefined, 'of known-2', undefined]);
    expect(database.asked).toEqual([['known-1', 'x', 'known-2']]);
  });

  it('that come while a query is under way wait for it, and go together', async () => {
    const database = new SlowDatabase();
    const lookups = new BatchedLookups(database.findAll);
    const first = lookups.find('known-1');
    await new Promise((resolve) => setTimeout(resolve));
    const later = Promise.all([lookups.find('known-2'), lookups.find('known-3')]);
    await new Promise((resolve) => setTimeout(resolve));
    expect(database.asked).toEqual([['known-1']]);
    await database.answer();
    expect(await first).toBe('of known-1');
    expect(database.asked).toEqual([['known-1'], ['known-2', 'known-3']]);
    await database.answer();
    expect(await later).toEqual(['of known-2', 'of known-3']);
  });

  it('are a hundred in a query at most, and one query at a time', async () => {
    const database = new SlowDatabase();
    const lookups = new BatchedLookups(database.findAll);
    const hashes = Array.from({ length: 250 }, (_, i) => `known-${i}`);
    const found = Promise.all(hashes.map((hash) => lookups.find(hash)));
    for (const queries of [1, 2, 3]) {
      await new Promise((resolve) => setTimeout(resolve));
      expect(database.asked.length).toBe(queries);
      await database.answer();
    }
    expect(await found).toEqual(hashes.map((hash) => `of ${hash}`));
    expect(database.asked.map(({ length }) => length)).toEqual([100, 100, 50]);
  });

  it('fail with their query, and no later one with them', async () => {
    const database = new SlowDatabase();
    const lookups = new BatchedLookups(database.findAll);
    const failing = expect(lookups.find('known-1')).rejects.toThrow('gone');
    await database.answer(new Error('gone'));
    await failing;
    const next = lookups.find('known-1');
    await database.answer();
    expect(await next).toBe('of known-1');
  });
});
