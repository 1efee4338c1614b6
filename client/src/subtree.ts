import type { Call, Connection } from './connection.js';
import { pagesOf } from './pages.js';
import type { SubtreeEntry, SubtreePage } from './wire.js';

/** The descendants of an account, depth first. They are read page by page and can be read once. */
export class Subtree implements AsyncIterable<SubtreeEntry> {
  /** The accounts of a cycle, if accounts are their own ancestors. Set when reading reaches the cycle. */
  cycle: readonly string[] | null = null;
  readonly #entries: AsyncGenerator<SubtreeEntry>;

  constructor(connection: Connection, call: Call) {
    this.#entries = this.#read(connection, call);
  }

  [Symbol.asyncIterator](): AsyncGenerator<SubtreeEntry> {
    return this.#entries;
  }

  async *#read(connection: Connection, call: Call): AsyncGenerator<SubtreeEntry> {
    for await (const { data, cycle } of pagesOf<SubtreePage>(connection, call)) {
      this.cycle ??= cycle;
      yield* data;
    }
  }
}
