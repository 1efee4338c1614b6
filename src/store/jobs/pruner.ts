import type { StoreObservers } from '../observer.js';
import { pause, REST, rest } from '../pacing.js';
import type { Jobs, PruneTask } from './jobs.js';

/** Delayed, so that the other work of a starting server comes first. */
const FIRST_RUN_MS = 1_000;
/** A changed retention setting takes effect within this time. */
const INTERVAL_MS = 60_000;

/** Runs the pruning jobs: one short step per tenant in round-robin order, with a rest after each step. */
export class Pruner {
  readonly #jobs: Jobs;
  readonly #rejectionDays: number;
  readonly #observers: StoreObservers;
  readonly #end = new AbortController();
  readonly #running: Promise<void>;

  constructor(jobs: Jobs, rejectionDays: number, observers: StoreObservers) {
    this.#jobs = jobs;
    this.#rejectionDays = rejectionDays;
    this.#observers = observers;
    this.#running = this.#run();
  }

  /** Resolves once the current step has ended. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let ms = FIRST_RUN_MS; await pause(ms, this.#end.signal); ms = INTERVAL_MS) {
      // The next run does what fails now, for example while the database is not reachable.
      await this.#prune().catch(() => this.#observers.databaseFailed());
    }
  }

  async #prune(): Promise<void> {
    let tasks = await this.#jobs.findOld(Date.now(), this.#rejectionDays);
    while (tasks.length > 0) {
      const unfinished: PruneTask[] = [];
      for (const task of tasks) {
        const startedAt = performance.now();
        const next = await this.#step(task);
        if (next !== undefined) unfinished.push(next);
        if (!(await rest(REST.background * (performance.now() - startedAt), this.#end.signal))) return;
      }
      tasks = unfinished;
    }
  }

  /** Returns what is left to do. A failure with one tenant does not keep the others waiting. */
  async #step(task: PruneTask): Promise<PruneTask | undefined> {
    try {
      const { removed, next } = await this.#jobs.prune(task, Date.now(), this.#rejectionDays);
      if (removed > 0) this.#observers.pruned(task.what, removed);
      return next;
    } catch {
      this.#observers.databaseFailed();
      return undefined;
    }
  }
}
