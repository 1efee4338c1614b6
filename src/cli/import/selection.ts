import type { Item } from './items.js';

/** Which items of a file are sent: those behind an earlier run's, up to a limit, until somebody asks to stop. */
export class Selection {
  /** How many were read, sent or not. */
  read = 0;
  /** Whether it ended before the file did, as the limit said. */
  isLimited = false;
  isStopped = false;
  readonly #skip: number;
  readonly #limit: number;

  constructor({
    skip = 0,
    limit = Number.POSITIVE_INFINITY,
  }: { skip?: number | undefined; limit?: number | undefined }) {
    this.#skip = skip;
    this.#limit = limit;
  }

  async *of(batches: AsyncIterable<readonly Item[]>): AsyncGenerator<readonly Item[]> {
    const end = this.#skip + this.#limit;
    for await (const batch of batches) {
      const from = Math.max(0, this.#skip - this.read);
      const selected = batch.slice(from, end - this.read);
      this.isLimited = this.read + batch.length > end;
      this.read = Math.min(this.read + batch.length, end);
      if (selected.length > 0) yield selected;
      if (this.isLimited || this.isStopped) return;
    }
  }
}
