import type { StoreObservers } from '../observer.js';
import { pause, REST, rest } from '../pacing.js';
import type { IndexBuild } from './attribute-index.js';
import type { Jobs } from './jobs.js';

const RETRY_MS = 5_000;

/**
 * Runs the builds of attribute indexes in short steps with rests, so that a build holds the write lock for at most a
 * tenth of the time. A build continues even if its caller stops waiting, and a page that fails is tried again later.
 * After the end of the process, the next server that starts continues it.
 */
export class IndexBuilds {
  readonly #jobs: Jobs;
  readonly #observers: StoreObservers;
  readonly #end = new AbortController();
  /** The last build of each attribute. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(jobs: Jobs, observers: StoreObservers) {
    this.#jobs = jobs;
    this.#observers = observers;
  }

  /**
   * Resolves once the index is complete or not wanted any more, or the store closes. Builds of one attribute run one
   * after another: if the first completes the index, the next has nothing to do. `onProgress` is called with the number
   * of accounts that are indexed.
   */
  build(tenantId: number, attribute: string, onProgress?: (accounts: number) => void): Promise<void> {
    const key = JSON.stringify([tenantId, attribute]);
    const previous = this.#running.get(key)?.catch(() => {});
    const build = Promise.resolve(previous).then(() => this.#run(tenantId, attribute, onProgress));
    this.#running.set(key, build);
    const forget = () => {
      if (this.#running.get(key) === build) this.#running.delete(key);
    };
    build.then(forget, forget);
    return build;
  }

  /** Resolves once the current steps have ended. */
  async close(): Promise<void> {
    this.#end.abort();
    await Promise.allSettled(this.#running.values());
  }

  async #run(tenantId: number, attribute: string, onProgress?: (accounts: number) => void): Promise<void> {
    let running: IndexBuild | undefined;
    while (!this.#end.signal.aborted) {
      const page = this.#jobs.buildIndexPage(tenantId, attribute, running);
      const { ms, indexedAccounts, next } = await page.catch((error) => {
        this.#buildLater(tenantId, attribute);
        throw error;
      });
      if (indexedAccounts !== undefined) onProgress?.(indexedAccounts);
      if (next === undefined) return;
      running = next;
      await rest(REST.background * ms, this.#end.signal);
    }
  }

  #buildLater(tenantId: number, attribute: string): void {
    if (this.#end.signal.aborted) return;
    this.#observers.databaseFailed();
    pause(RETRY_MS, this.#end.signal).then((continues) => {
      // A further failure schedules a further attempt.
      if (continues) this.build(tenantId, attribute).catch(() => {});
    });
  }
}
