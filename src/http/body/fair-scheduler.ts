/** Tenant id of requests that are not authenticated yet. */
export const ANONYMOUS = 0;

/**
 * Fair scheduling of work on the event loop: runs one piece of work per turn of the event loop, so that other requests
 * are served in between, and serves tenants in round-robin order. With an interval it is also a token bucket: one piece
 * per `intervalMs` on average, with a burst of `burstMs`.
 */
export class FairScheduler {
  readonly #intervalMs: number;
  readonly #burstMs: number;
  readonly #waiting = new RoundRobinQueue<() => void>();
  /** When the next piece is due. */
  #dueAt = 0;
  #isScheduled = false;

  constructor(intervalMs = 0, burstMs = 0) {
    this.#intervalMs = intervalMs;
    this.#burstMs = burstMs;
  }

  enqueue(tenantId: number, piece: () => void): void {
    this.#waiting.push(tenantId, piece);
    this.#schedule();
  }

  /** Removes a piece that has not run. */
  remove(tenantId: number, piece: () => void): void {
    this.#waiting.remove(tenantId, piece);
  }

  /** Resolves when it is the tenant's turn. */
  waitForTurn(tenantId: number): Promise<void> {
    return new Promise((resolve) => this.enqueue(tenantId, resolve));
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
    this.#dueAt = Math.max(this.#dueAt, performance.now() - this.#burstMs) + this.#intervalMs;
    this.#isScheduled = false;
    this.#schedule();
    piece?.();
  };
}

/** A queue per tenant, served in round-robin order: a tenant with much work delays its own work only. */
export class RoundRobinQueue<Item> {
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

  /** The next item of the tenant whose turn it is. */
  shift(): Item | undefined {
    for (const [tenantId, queue] of this.#queues) {
      const item = queue.shift();
      this.#queues.delete(tenantId);
      if (queue.length > 0) this.#queues.set(tenantId, queue);
      return item;
    }
    return undefined;
  }

  remove(tenantId: number, item: Item): void {
    const others = this.#queues.get(tenantId)?.filter((other) => other !== item) ?? [];
    if (others.length > 0) this.#queues.set(tenantId, others);
    else this.#queues.delete(tenantId);
  }
}
