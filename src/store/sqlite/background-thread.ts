import { Worker } from 'node:worker_threads';
import type { Chores } from '../chores.js';

/** More would keep the disk busy for longer at a time, and every commit waits for the disk. */
const RECORDS_BETWEEN = 1_000;

export type BackgroundCall =
  /** Moves what the writer has appended to the write-ahead log on into the database file. */
  | { readonly chore: 'checkpoint' }
  | { readonly chore: 'end' }
  | { readonly chore: keyof Chores; readonly id: number; readonly args: readonly unknown[] };

export type BackgroundReply =
  | { readonly chore: 'checkpoint' }
  | { readonly chore: keyof Chores; readonly id: number; readonly result?: unknown; readonly error?: Error };

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * What is done beside the writer, in a thread of its own: checkpoints, for which the writer would otherwise stop, and
 * chores. No checkpoint depends on it: where they fail, the log grows until the writer does one itself.
 */
export class BackgroundThread {
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  readonly #waiting = new Map<number, Waiting>();
  #records = 0;
  #isCheckpointing = false;
  #lastId = 0;

  constructor(file: string) {
    this.#worker = new Worker(new URL('./background-worker.js', import.meta.url), {
      workerData: { file },
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    this.#worker.on('message', (reply: BackgroundReply) => this.#settle(reply));
    this.#worker.on('error', () => {});
    this.#exited = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
    this.#exited.then(() => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The background thread ended.'));
      this.#waiting.clear();
    });
  }

  readonly chores: Chores = {
    countChanges: (...args) => this.#ask('countChanges', args),
    recordRejections: (...args) => this.#ask('recordRejections', args),
    forgetRejections: (...args) => this.#ask('forgetRejections', args),
    buildIndex: (...args) => this.#ask('buildIndex', args),
    dropIndex: (...args) => this.#ask('dropIndex', args),
  };

  written(records: number): void {
    this.#records += records;
    if (this.#isCheckpointing || this.#records < RECORDS_BETWEEN) return;
    this.#records = 0;
    this.#isCheckpointing = true;
    this.#post({ chore: 'checkpoint' });
  }

  async close(): Promise<void> {
    this.#post({ chore: 'end' });
    await this.#exited;
  }

  #ask<T>(chore: keyof Chores, args: readonly unknown[]): Promise<T> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#post({ chore, id, args });
    return new Promise<T>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #post(call: BackgroundCall): void {
    this.#worker.postMessage(call);
  }

  #settle(reply: BackgroundReply): void {
    if (reply.chore === 'checkpoint') {
      this.#isCheckpointing = false;
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.error === undefined) waiting?.resolve(reply.result as never);
    else waiting?.reject(reply.error);
  }
}
