import type { Jobs } from './jobs.js';

const INTERVAL_MS = 1_000;

/** Has the changes of each tenant counted, a moment after they were made. */
export class StatisticsJob {
  readonly #jobs: Jobs;
  readonly #onFailure: () => void;
  readonly #timer: NodeJS.Timeout;
  /** Those with changes that may not be counted yet. */
  readonly #behind = new Set<number>();
  #running: Promise<void> | undefined;

  /** `tenantIds`: all there are, since a process may have ended before it counted. */
  constructor(jobs: Jobs, tenantIds: readonly number[], onFailure: () => void) {
    this.#jobs = jobs;
    this.#onFailure = onFailure;
    for (const id of tenantIds) this.#behind.add(id);
    this.#timer = setInterval(() => this.#start(), INTERVAL_MS).unref();
  }

  note(tenantId: number): void {
    this.#behind.add(tenantId);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #start(): void {
    if (this.#behind.size === 0) return;
    this.#running ??= this.#count().finally(() => {
      this.#running = undefined;
    });
  }

  async #count(): Promise<void> {
    for (const tenantId of [...this.#behind]) {
      this.#behind.delete(tenantId);
      // What fails now, with the database away, is counted the next time.
      const isDone = await this.#jobs.countChanges(tenantId, Date.now()).catch(() => {
        this.#onFailure();
        return false;
      });
      if (!isDone) this.#behind.add(tenantId);
    }
  }
}
