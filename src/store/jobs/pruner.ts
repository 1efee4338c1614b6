import type { StoreObservers } from '../observer.js';
import { pause, REST, rest } from '../pacing.js';
import type { Jobs, PruneTask } from './jobs.js';

/** Not at once: whatever starts with the server comes first. */
const FIRST_LOOK_MS = 1_000;
/** So soon a change of a setting is followed. */
const LOOK_MS = 60_000;

/** Has removed what is older than its tenant keeps it, in small steps with pauses, each tenant in its turn. */
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

  /** Resolves once the step that is under way has ended. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let ms = FIRST_LOOK_MS; await pause(ms, this.#end.signal); ms = LOOK_MS) {
      // What fails now, with the database away, is done the next time.
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

  /** What is left to do. A tenant with which it fails keeps no other waiting. */
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
