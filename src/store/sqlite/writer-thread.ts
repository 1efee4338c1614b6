import { Worker } from 'node:worker_threads';
import type { StoreObservers } from '../observer.js';
import type { KeyUse, UpsertCounts, UpsertOutcome, UpsertRequest } from '../requests.js';
import { type QueueLimits, WriteBacklog } from '../write/write-backlog.js';
import { asDiskFailure } from './sqlite-errors.js';

export interface WriterConnection {
  readonly file: string;
  /** How long it waits for others that write. */
  readonly waitMs?: number;
}

export type WriterCall =
  | { readonly requests: readonly UpsertRequest[] }
  | { readonly keyUses: readonly KeyUse[] }
  /** Closes the connection and ends the thread. */
  | { readonly end: true };

export interface WriterReply {
  /** How the next calls ended, in their order: one for each request, one for a list of key uses. */
  readonly outcomes: readonly (UpsertOutcome | { readonly counts?: never; readonly error?: Error })[];
  /** How long they took. */
  readonly seconds: number;
}

interface Pending {
  readonly request?: UpsertRequest;
  readonly resolve: (counts: UpsertCounts) => void;
  readonly reject: (error: Error) => void;
}

/** Fewer would cost more in handing over than is won by both threads working at once. */
const RECORDS_AT_ONCE = 16;

/**
 * The account writer in a thread of its own, so that no fsync stops the event loop; begun anew should it die. Requests
 * are handed over a few at a time, so that it writes while the event loop reads on, and whatever has come while it wrote
 * forms its next group.
 */
export class WriterThread {
  readonly #connection: WriterConnection;
  readonly #backlog: WriteBacklog;
  readonly #onWritten: (records: number) => void;
  readonly #observers: StoreObservers;
  /** In the order in which the thread will answer. */
  #pending: Pending[] = [];
  #gathered: UpsertRequest[] = [];
  #gatheredRecords = 0;
  #worker: Worker | undefined;

  /** `onWritten` hears how many records of each answer are written. */
  constructor(
    connection: WriterConnection,
    limits: QueueLimits,
    observers: StoreObservers,
    onWritten: (records: number) => void,
  ) {
    this.#connection = connection;
    this.#onWritten = onWritten;
    this.#backlog = new WriteBacklog(limits);
    this.#observers = observers;
  }

  start(): void {
    this.#worker ??= this.#spawn();
  }

  async upsert(request: UpsertRequest): Promise<UpsertCounts> {
    this.#backlog.add(request);
    if (this.#gathered.length === 0) setImmediate(() => this.#handOver());
    this.#gathered.push(request);
    this.#gatheredRecords += request.patches.length;
    const counts = new Promise<UpsertCounts>((resolve, reject) => {
      this.#pending.push({ request, resolve, reject });
    });
    // At once, too, where the thread has nothing to do.
    if (this.#gatheredRecords >= RECORDS_AT_ONCE || this.#pending.length === 1) this.#handOver();
    return counts;
  }

  async recordKeyUse(keyUses: readonly KeyUse[]): Promise<void> {
    this.#handOver();
    this.#post({ keyUses });
    await new Promise((resolve, reject) => this.#pending.push({ resolve, reject }));
  }

  waitingRecords(): number {
    return this.#backlog.records;
  }

  /** Finishes what was submitted. */
  async close(): Promise<void> {
    this.#handOver();
    const worker = this.#worker;
    if (worker === undefined) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    this.#post({ end: true });
    await exited;
  }

  #handOver(): void {
    if (this.#gathered.length === 0) return;
    const requests = this.#gathered;
    this.#gathered = [];
    this.#gatheredRecords = 0;
    this.#post({ requests });
  }

  #post(call: WriterCall): void {
    this.#worker ??= this.#spawn();
    this.#worker.postMessage(call);
  }

  #spawn(): Worker {
    const worker = new Worker(new URL('./writer-worker.js', import.meta.url), {
      workerData: this.#connection,
      // What it makes lives for one group; a third of the memory serves it as well.
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    });
    let cause: unknown;
    worker.on('message', (reply: WriterReply) => this.#settle(reply));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#worker = undefined;
      this.#gathered = [];
      this.#gatheredRecords = 0;
      // Whether the last group was committed is unknown; its callers are told that it failed, and may repeat it.
      const error = new Error('The writer thread ended.', { cause });
      this.#settle({ outcomes: this.#pending.map(() => ({ error })), seconds: 0 });
    });
    return worker;
  }

  #settle({ outcomes: replies, seconds }: WriterReply): void {
    const outcomes = replies.map((reply) =>
      'error' in reply && reply.error !== undefined ? { error: asDiskFailure(reply.error) } : reply,
    );
    let records = 0;
    let hasFailed = false;
    const settled = this.#pending.splice(0, outcomes.length);
    for (const [i, { request, resolve, reject }] of settled.entries()) {
      if (request !== undefined) this.#backlog.remove(request);
      const { counts, error } = outcomes[i] as { counts: UpsertCounts; error?: Error };
      if (error === undefined) resolve(counts);
      else {
        hasFailed = true;
        reject(error);
      }
      records += request?.patches.length ?? 0;
    }
    this.#onWritten(records);
    this.#observers.groupEnded(outcomes, seconds);
    if (hasFailed) this.#observers.databaseFailed();
  }
}
