/** In one query. */
const MAX_TOGETHER = 100;

interface Group<Found> {
  readonly hashes: Set<string>;
  readonly found: Promise<ReadonlyMap<string, Found>>;
}

/**
 * Looks up together what is asked for at the same time, one query after another: strangers who try key after key, none of
 * which can be kept in mind, take no more than one connection, and cost little more than those who send nothing.
 */
export class BatchedLookups<Found> {
  readonly #findAll: (hashes: readonly string[]) => Promise<ReadonlyMap<string, Found>>;
  /** Not asked for yet. */
  #next: Group<Found> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(findAll: (hashes: readonly string[]) => Promise<ReadonlyMap<string, Found>>) {
    this.#findAll = findAll;
  }

  async find(hash: string): Promise<Found | undefined> {
    this.#next ??= this.#gather();
    const { hashes, found } = this.#next;
    hashes.add(hash);
    if (hashes.size === MAX_TOGETHER) this.#next = undefined;
    return (await found).get(hash);
  }

  #gather(): Group<Found> {
    const hashes = new Set<string>();
    const ask = async () => {
      // A turn, in which all requests that have arrived are read.
      await new Promise(setImmediate);
      if (this.#next?.hashes === hashes) this.#next = undefined;
      return this.#findAll([...hashes]);
    };
    const found = this.#last.then(ask);
    // Who waits for it is told of a failure; the next may succeed.
    this.#last = found.catch(() => {});
    return { hashes, found };
  }
}
