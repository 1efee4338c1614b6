interface FailureLimitOptions {
  /** Monotonic milliseconds, unaffected by changes of the system clock. */
  readonly elapsed: () => number;
  /** Failures that are allowed without waiting. After them one is allowed per minute. */
  readonly burst: number;
  /** Bounds the memory: those whose last failure is oldest are dropped first. */
  readonly maxKeys: number;
}

const PER_FAILURE_MS = 60_000;

/**
 * Counts failures by any key: a leaky bucket each, some at a time and then one per minute. One timestamp per key is the
 * whole state (GCRA): the time at which its bucket is empty again.
 */
export class FailureLimit {
  readonly #options: FailureLimitOptions;
  /** When the bucket of each key is empty again; the key that failed last is at the end. */
  readonly #emptyAt = new Map<string, number>();

  constructor(options: FailureLimitOptions) {
    this.#options = options;
  }

  /** Counts a failure and returns 0, or returns the seconds to wait before the next one counts. */
  count(key: string): number {
    const { elapsed, burst, maxKeys } = this.#options;
    const now = elapsed();
    const emptyAt = Math.max(this.#emptyAt.get(key) ?? now, now);
    const wait = emptyAt + PER_FAILURE_MS - (now + burst * PER_FAILURE_MS);
    if (wait > 0) return Math.ceil(wait / 1_000);
    this.#emptyAt.delete(key);
    this.#emptyAt.set(key, emptyAt + PER_FAILURE_MS);
    const [oldest = ''] = this.#emptyAt.keys();
    if (this.#emptyAt.size > maxKeys) this.#emptyAt.delete(oldest);
    return 0;
  }

  uncount(key: string): void {
    const emptyAt = this.#emptyAt.get(key);
    if (emptyAt !== undefined) this.#emptyAt.set(key, emptyAt - PER_FAILURE_MS);
  }
}
