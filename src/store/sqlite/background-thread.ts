import { Worker } from 'node:worker_threads';
import { DiskFailure } from '../errors.js';
import type { IndexStep } from '../jobs/attribute-index.js';
import type { Jobs, PruneStep } from '../jobs/jobs.js';
import type { StoreObservers } from '../observer.js';
import { asDiskFailure } from './sqlite-errors.js';

/** A checkpoint after more records would keep the disk busy for longer, and every commit waits for the disk. */
const RECORDS_PER_CHECKPOINT = 1_000;

export type BackgroundCall =
  /** Copies the pages of the write-ahead log into the database file. */
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
 * A thread for checkpoints and background jobs. Both block their thread for as long as the disk takes: in the writer
 * thread they would delay commits, on the event loop all requests.
 *
 *   event loop                         background thread (own SQLite connection)
 *   jobs.x(…)      ── { job, id } ──▶  runs jobs one after another
 *   promise of id  ◀── result, error ──
 *   written(n)     ── checkpoint ───▶  passive checkpoint, which waits for no reader or writer
 *
 * - If the thread ends, all pending calls reject, and the next call starts a new thread.
 * - Nothing depends on these checkpoints: if they fail, the log grows until the writer's connection does one itself
 *   (`wal_autocheckpoint`).
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
    countChanges: (...args) => this.#call('countChanges', args),
    recordRuns: (...args) => this.#call('recordRuns', args),
    recordUndo: (...args) => this.#call('recordUndo', args),
    seedPushed: (...args) => this.#call('seedPushed', args),
    pushedPage: (...args) => this.#call('pushedPage', args),
    settlePushed: (...args) => this.#call('settlePushed', args),
    recordMissing: (...args) => this.#call('recordMissing', args),
    endSilentRuns: (...args) => this.#call('endSilentRuns', args),
    recordRejections: (...args) => this.#call('recordRejections', args),
    findOld: (...args) => this.#call('findOld', args),
    prune: async (...args) => {
      const step: PruneStep = await this.#call('prune', args);
      this.written(step.removed);
      return step;
    },
    eraseTraces: (...args) => this.#call('eraseTraces', args),
    forgetRejections: (...args) => this.#call('forgetRejections', args),
    buildIndexPage: async (...args) => {
      const step: IndexStep = await this.#call('buildIndexPage', args);
      this.written(step.written);
      return step;
    },
  };

  /** Counts written records, and starts a checkpoint when there are enough. */
  written(records: number): void {
    this.#records += records;
    if (this.#isCheckpointing || this.#records < RECORDS_PER_CHECKPOINT) return;
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

  #call<T>(job: keyof Jobs, args: readonly unknown[]): Promise<T> {
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
      // Objects of a job live for one page. With a smaller young generation, garbage collection would mostly copy them.
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
