import type { Jobs } from './jobs.js';

const INTERVAL_MS = 1_000;

/** Updates the statistics of each changed tenant once a second. */
export class StatisticsJob {
  readonly #jobs: Jobs;
  readonly #onFailure: () => void;
  readonly #timer: NodeJS.Timeout;
  /** Tenants with changes that may not be counted yet. */
  readonly #uncounted = new Set<number>();
  #running: Promise<void> | undefined;

  /** `tenantIds` are all tenants: a previous process may have ended before it counted their changes. */
  constructor(jobs: Jobs, tenantIds: readonly number[], onFailure: () => void) {
    this.#jobs = jobs;
    this.#onFailure = onFailure;
    for (const id of tenantIds) this.#uncounted.add(id);
    this.#timer = setInterval(() => this.#start(), INTERVAL_MS).unref();
  }

  markChanged(tenantId: number): void {
    this.#uncounted.add(tenantId);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #start(): void {
    if (this.#uncounted.size === 0) return;
    this.#running ??= this.#count().finally(() => {
      this.#running = undefined;
    });
  }

  async #count(): Promise<void> {
    for (const tenantId of [...this.#uncounted]) {
      this.#uncounted.delete(tenantId);
      // The next run counts what fails now, for example while the database is not reachable.
      const isDone = await this.#jobs.countChanges(tenantId, Date.now()).catch(() => {
        this.#onFailure();
        return false;
      });
      if (!isDone) this.#uncounted.add(tenantId);
    }
  }
}
