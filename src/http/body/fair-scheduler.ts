/** Of nobody in particular, as long as it is not known who sends a request. */
export const NOBODY = 0;

/**
 * For work that comes in pieces, each of which keeps the event loop from everything else: a piece in each of its turns,
 * of one tenant after the other.
 */
export class Turns {
  readonly #intervalMs: number;
  readonly #savedMs: number;
  readonly #waiting = new TenantQueues<() => void>();
  /** When the next piece would come, were they all as far from each other as the interval says. */
  #dueAt = 0;
  #isScheduled = false;

  /** With an interval, pieces are as far from each other on average; after a quiet time, for so long of it not at all. */
  constructor(intervalMs = 0, savedMs = 0) {
    this.#intervalMs = intervalMs;
    this.#savedMs = savedMs;
  }

  take(tenantId: number, piece: () => void): void {
    this.#waiting.push(tenantId, piece);
    this.#schedule();
  }

  /** A piece that nobody waits for any more. */
  drop(tenantId: number, piece: () => void): void {
    this.#waiting.drop(tenantId, piece);
  }

  /** Settles when the next piece may be worked on. */
  of(tenantId: number): Promise<void> {
    return new Promise((resolve) => this.take(tenantId, resolve));
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.isEmpty) return;
    this.#isScheduled = true;
    const waitMs = this.#dueAt - performance.now();
    if (waitMs > 0) setTimeout(this.#next, waitMs);
    else setImmediate(this.#next);
  }

  readonly #next = () => {
    const piece = this.#waiting.shift();
    this.#dueAt = Math.max(this.#dueAt, performance.now() - this.#savedMs) + this.#intervalMs;
    this.#isScheduled = false;
    this.#schedule();
    piece?.();
  };
}

/** What waits, of one tenant after the other: so whoever brings a lot waits for himself. */
export class TenantQueues<Item> {
  readonly #queues = new Map<number, Item[]>();

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  lengthOf(tenantId: number): number {
    return this.#queues.get(tenantId)?.length ?? 0;
  }

  push(tenantId: number, item: Item): void {
    const queue = this.#queues.get(tenantId);
    if (queue === undefined) this.#queues.set(tenantId, [item]);
    else queue.push(item);
  }

  /** Of the tenant whose turn it is. */
  shift(): Item | undefined {
    for (const [tenantId, queue] of this.#queues) {
      const item = queue.shift();
      this.#queues.delete(tenantId);
      if (queue.length > 0) this.#queues.set(tenantId, queue);
      return item;
    }
    return undefined;
  }

  drop(tenantId: number, item: Item): void {
    const others = this.#queues.get(tenantId)?.filter((other) => other !== item) ?? [];
    if (others.length > 0) this.#queues.set(tenantId, others);
    else this.#queues.delete(tenantId);
  }
}
