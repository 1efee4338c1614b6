/** Hashes in one query. */
const MAX_BATCH_SIZE = 100;

interface Batch<Found> {
  readonly hashes: Set<string>;
  readonly found: Promise<ReadonlyMap<string, Found>>;
}

/**
 * Batches lookups of credentials that no cache holds. Unknown keys cannot be cached, since a client could fill any
 * cache with invented ones, so every one of them needs the database.
 *
 *   find(a) ─┐
 *   find(b) ─┼─▶ batch, up to 100 hashes ─▶ one query ─▶ each caller gets its own result
 *   find(a) ─┘
 *
 * Invariants: one query runs at a time, so a flood of unknown keys occupies one database connection; lookups that
 * arrive meanwhile form the next batch; a failed query fails its own batch only.
 */
export class BatchedLookups<Found> {
  readonly #findAll: (hashes: readonly string[]) => Promise<ReadonlyMap<string, Found>>;
  /** The batch that still accepts hashes. */
  #next: Batch<Found> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(findAll: (hashes: readonly string[]) => Promise<ReadonlyMap<string, Found>>) {
    this.#findAll = findAll;
  }

  async find(hash: string): Promise<Found | undefined> {
    this.#next ??= this.#startBatch();
    const { hashes, found } = this.#next;
    hashes.add(hash);
    if (hashes.size === MAX_BATCH_SIZE) this.#next = undefined;
    return (await found).get(hash);
  }

  #startBatch(): Batch<Found> {
    const hashes = new Set<string>();
    const query = async () => {
      // One turn of the event loop, in which the requests that have arrived join the batch.
      await new Promise(setImmediate);
      if (this.#next?.hashes === hashes) this.#next = undefined;
      return this.#findAll([...hashes]);
    };
    const found = this.#last.then(query);
    // The callers of this batch get its failure through `found`; the next batch runs regardless.
    this.#last = found.catch(() => {});
    return { hashes, found };
  }
}
