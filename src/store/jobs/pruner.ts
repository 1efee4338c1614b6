import type { StoreObservers } from '../observer.js';
import { pause, REST, rest } from '../pacing.js';
import type { Jobs, PruneTask } from './jobs.js';

/** Delayed, so that the other work of a starting server comes first. */
const FIRST_RUN_MS = 1_000;
/** A changed retention setting takes effect within this time. */
const INTERVAL_MS = 60_000;

/** After a deletion, so that deletions that follow are handled together. */
const AFTER_DELETION_MS = 1_000;

/** Runs the pruning jobs: one short step per tenant in round-robin order, with a rest after each step. */
export class Pruner {
  readonly #jobs: Jobs;
  readonly #rejectionDays: number;
  readonly #observers: StoreObservers;
  readonly #end = new AbortController();
  readonly #running: Promise<void>;
  #wake: (() => void) | undefined;
  #isDeleted = false;

  constructor(jobs: Jobs, rejectionDays: number, observers: StoreObservers) {
    this.#jobs = jobs;
    this.#rejectionDays = rejectionDays;
    this.#observers = observers;
    this.#running = this.#run();
  }

  /** Call after an account was deleted: the values in its history are erased soon. */
  accountDeleted(): void {
    this.#isDeleted = true;
    this.#wake?.();
  }

  /** Resolves once the current step has ended. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let ms = FIRST_RUN_MS; await this.#pause(ms); ms = INTERVAL_MS) {
      this.#isDeleted = false;
      // The next run does what fails now, for example while the database is not reachable.
      await this.#prune().catch(() => this.#observers.databaseFailed());
    }
  }

  /** Ends early after a deletion; false if the pruner is closed. */
  async #pause(ms: number): Promise<boolean> {
    const end = new AbortController();
    const signal = AbortSignal.any([this.#end.signal, end.signal]);
    this.#wake = () => end.abort();
    if (!this.#isDeleted) await pause(ms, signal);
    this.#wake = undefined;
    return this.#isDeleted ? pause(AFTER_DELETION_MS, this.#end.signal) : !this.#end.signal.aborted;
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
      tasks = this.#isDeleted ? await this.#withErasures(unfinished) : unfinished;
    }
  }

  /** Adds deletions since the run began, which must not wait for the end of a long pass over old history. */
  async #withErasures(tasks: readonly PruneTask[]): Promise<PruneTask[]> {
    this.#isDeleted = false;
    const isErasure = ({ what }: PruneTask) => what === 'erasures';
    const due = await this.#jobs.findOld(Date.now(), this.#rejectionDays);
    return [...due.filter(isErasure), ...tasks.filter((task) => !isErasure(task))];
  }

  /** Returns what is left to do. A failure with one tenant does not keep the others waiting. */
  async #step(task: PruneTask): Promise<PruneTask | undefined> {
    try {
      const { removed, next } = await this.#jobs.prune(task, Date.now(), this.#rejectionDays);
      if (removed > 0 && task.what !== 'erasures') this.#observers.pruned(task.what, removed);
      return next;
    } catch {
      this.#observers.databaseFailed();
      return undefined;
    }
  }
}
