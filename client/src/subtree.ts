import type { Call, Connection } from './connection.js';
import { pagesOf } from './pages.js';
import type { SubtreeEntry, SubtreePage } from './wire.js';

/** The accounts below one, depth first; read page by page, once. */
export class Subtree implements AsyncIterable<SubtreeEntry> {
  /** The way round, where accounts turned out to be their own ancestors; known once it has been met. */
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
