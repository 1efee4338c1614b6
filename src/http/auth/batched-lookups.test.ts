import { describe, expect, it } from 'vitest';
import { BatchedLookups } from './batched-lookups.js';

/** A database whose queries finish when the test calls `finish`. */
class SlowDatabase {
  readonly queries: (readonly string[])[] = [];
  readonly #pending: ((error?: Error) => void)[] = [];

  findAll = (hashes: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    this.queries.push(hashes);
    const known = hashes.filter((hash) => hash.startsWith('known'));
    return new Promise((resolve, reject) =>
      this.#pending.push((error) =>
        error === undefined ? resolve(new Map(known.map((hash) => [hash, `of ${hash}`]))) : reject(error),
      ),
    );
  };

  async finish(error?: Error): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#pending.shift()?.(error);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

describe('BatchedLookups', () => {
  it('sends lookups of the same time as one query, and returns to each its own result', async () => {
    const database = new SlowDatabase();
    const lookups = new BatchedLookups(database.findAll);
    const found = Promise.all(['known-1', 'x', 'known-2', 'x'].map((hash) => lookups.find(hash)));
    await database.finish();
    expect(await found).toEqual(['of known-1', undefined, 'of known-2', undefined]);
    expect(database.queries).toEqual([['known-1', 'x', 'known-2']]);
  });

  it('batches lookups that arrive while a query runs, and sends them after it', async () => {
    const database = new SlowDatabase();
    const lookups = new BatchedLookups(database.findAll);
    const first = lookups.find('known-1');
    await new Promise((resolve) => setTimeout(resolve));
    const later = Promise.all([lookups.find('known-2'), lookups.find('known-3')]);
    await new Promise((resolve) => setTimeout(resolve));
    expect(database.queries).toEqual([['known-1']]);
    await database.finish();
    expect(await first).toBe('of known-1');
    expect(database.queries).toEqual([['known-1'], ['known-2', 'known-3']]);
    await database.finish();
    expect(await later).toEqual(['of known-2', 'of known-3']);
  });

  it('sends at most 100 hashes per query, and one query at a time', async () => {
    const database = new SlowDatabase();
    const lookups = new BatchedLookups(database.findAll);
    const hashes = Array.from({ length: 250 }, (_, i) => `known-${i}`);
    const found = Promise.all(hashes.map((hash) => lookups.find(hash)));
    for (const count of [1, 2, 3]) {
      await new Promise((resolve) => setTimeout(resolve));
      expect(database.queries.length).toBe(count);
      await database.finish();
    }
    expect(await found).toEqual(hashes.map((hash) => `of ${hash}`));
    expect(database.queries.map(({ length }) => length)).toEqual([100, 100, 50]);
  });

  it('fails the lookups of a failed query, and no later ones', async () => {
    const database = new SlowDatabase();
    const lookups = new BatchedLookups(database.findAll);
    const failing = expect(lookups.find('known-1')).rejects.toThrow('connection lost');
    await database.finish(new Error('connection lost'));
    await failing;
    const next = lookups.find('known-1');
    await database.finish();
    expect(await next).toBe('of known-1');
  });
});
