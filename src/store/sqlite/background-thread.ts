import { Worker } from 'node:worker_threads';
import { DiskFailure } from '../errors.js';
import type { IndexStep } from '../jobs/attribute-index.js';
import type { Jobs, PruneStep } from '../jobs/jobs.js';
import type { StoreObservers } from '../observer.js';
import { asDiskFailure } from './sqlite-errors.js';

/** More would keep the disk busy for longer at a time, and every commit waits for the disk. */
const RECORDS_BETWEEN = 1_000;

export type BackgroundCall =
  /** Moves what the writer has appended to the write-ahead log on into the database file. */
  | { readonly job: 'checkpoint' }
  | { readonly job: 'end' }
  | { readonly job: keyof Jobs; readonly id: number; readonly args: readonly unknown[] };

export type BackgroundReply =
  | { readonly job: 'checkpoint' }
  | { readonly job: keyof Jobs; readonly id: number; readonly result?: unknown; readonly error?: Error };

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * What is done beside the writer, in a thread of its own: checkpoints, for which the writer would otherwise stop, and
 * jobs; begun anew should it die. Nothing depends on its checkpoints: where they fail, the log grows until the writer
 * does one itself.
 */
export class BackgroundThread {
  readonly #file: string;
  readonly #observers: StoreObservers;
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #records = 0;
  #isCheckpointing = false;
  #lastId = 0;

  constructor(file: string, observers: StoreObservers) {
    this.#file = file;
    this.#observers = observers;
    this.#worker = this.#spawn();
  }

  readonly jobs: Jobs = {
    countChanges: (...args) => this.#ask('countChanges', args),
    recordRejections: (...args) => this.#ask('recordRejections', args),
    findOld: (...args) => this.#ask('findOld', args),
    prune: async (...args) => {
      const step: PruneStep = await this.#ask('prune', args);
      this.written(step.removed);
      return step;
    },
    eraseTraces: (...args) => this.#ask('eraseTraces', args),
    forgetRejections: (...args) => this.#ask('forgetRejections', args),
    buildIndexPage: async (...args) => {
      const step: IndexStep = await this.#ask('buildIndexPage', args);
      this.written(step.written);
      return step;
    },
  };

  written(records: number): void {
    this.#records += records;
    if (this.#isCheckpointing || this.#records < RECORDS_BETWEEN) return;
    this.#records = 0;
    this.#isCheckpointing = true;
    this.#post({ job: 'checkpoint' });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    this.#post({ job: 'end' });
    await exited;
  }

  #ask<T>(job: keyof Jobs, args: readonly unknown[]): Promise<T> {
    this.#lastId += 1;
    const id = this.#lastId;
    const result = new Promise<T>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#post({ job, id, args });
    return result;
  }

  #post(call: BackgroundCall): void {
    this.#worker ??= this.#spawn();
    this.#worker.postMessage(call);
  }

  #spawn(): Worker {
    const worker = new Worker(new URL('./background-worker.js', import.meta.url), {
      workerData: { file: this.#file },
      // What it counts lives for a page; with less room it would mostly be moved about.
      resourceLimits: { maxYoungGenerationSizeMb: 32 },
    });
    let cause: unknown;
    worker.on('message', (reply: BackgroundReply) => this.#settle(reply));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#worker = undefined;
      this.#isCheckpointing = false;
      const error = new Error('The background thread ended.', { cause });
      for (const waiting of this.#waiting.values()) this.#fail(waiting, error);
      this.#waiting.clear();
    });
    return worker;
  }

  #settle(reply: BackgroundReply): void {
    if (reply.job === 'checkpoint') {
      this.#isCheckpointing = false;
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.error === undefined) waiting?.resolve(reply.result as never);
    else if (waiting !== undefined) this.#fail(waiting, reply.error);
  }

  #fail({ reject }: Waiting, error: Error): void {
    const failure = asDiskFailure(error);
    if (failure instanceof DiskFailure) this.#observers.diskFailed();
    reject(failure);
  }
}
