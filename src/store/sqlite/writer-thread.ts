import { Worker } from 'node:worker_threads';
import type { StoreObservers } from '../observer.js';
import type { KeyUse, UpsertCounts, UpsertOutcome, UpsertRequest } from '../requests.js';
import { type QueueLimits, WriteBacklog } from '../write/write-backlog.js';
import { asDiskFailure } from './sqlite-errors.js';

export interface WriterConnection {
  readonly file: string;
  /** How long it waits for another process that writes. */
  readonly waitMs?: number;
}

export type WriterCall =
  | { readonly requests: readonly UpsertRequest[] }
  | { readonly keyUses: readonly KeyUse[] }
  /** Closes the connection and ends the thread. */
  | { readonly end: true };

export interface WriterReply {
  /** The outcomes of the oldest pending calls, in order: one per request, one per list of key uses. */
  readonly outcomes: readonly (UpsertOutcome | { readonly counts?: never; readonly error?: Error })[];
  /** The time they took. */
  readonly seconds: number;
}

interface Pending {
  readonly request?: UpsertRequest;
  readonly resolve: (counts: UpsertCounts) => void;
  readonly reject: (error: Error) => void;
}

/** With fewer records per message, posting costs more than the two threads gain by working in parallel. */
const RECORDS_PER_MESSAGE = 16;

/**
 * The side of the event loop: queues requests, posts them to the writer thread (writer-worker.ts) and settles their
 * promises, so that a disk sync never blocks the event loop. It is a group commit: messages that arrive while the
 * thread commits form its next group.
 *
 *   event loop                                    writer thread (writer-worker.ts)
 *   upsert ─▶ #gathered ── { requests } ────────▶ reads all queued messages ─▶ one group
 *             #pending                            SqliteAccountWriter.write: one transaction, one sync
 *   promises ◀─ #settle ◀── { outcomes } ──────── outcomes in the order of the requests
 *
 * - Replies carry no ids: outcomes belong to the oldest entries of `#pending`. So every request that is posted has an
 *   entry there, in the order of posting.
 * - Requests are posted a few at a time, so that the thread writes while the event loop parses the next ones.
 * - If the thread ends, all pending requests reject, and the next request starts a new thread.
 */
export class WriterThread {
  readonly #connection: WriterConnection;
  readonly #backlog: WriteBacklog;
  readonly #onWritten: (records: number) => void;
  readonly #observers: StoreObservers;
  /** In the order in which the thread replies. */
  #pending: Pending[] = [];
  #gathered: UpsertRequest[] = [];
  #gatheredRecords = 0;
  #worker: Worker | undefined;

  /** `onWritten` receives the number of records of each reply. */
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
    if (this.#gathered.length === 0) setImmediate(() => this.#postGathered());
    this.#gathered.push(request);
    this.#gatheredRecords += request.patches.length;
    const counts = new Promise<UpsertCounts>((resolve, reject) => {
      this.#pending.push({ request, resolve, reject });
    });
    // An idle thread gets the request immediately.
    if (this.#gatheredRecords >= RECORDS_PER_MESSAGE || this.#pending.length === 1) this.#postGathered();
    return counts;
  }

  async recordKeyUse(keyUses: readonly KeyUse[]): Promise<void> {
    this.#postGathered();
    this.#post({ keyUses });
    await new Promise((resolve, reject) => this.#pending.push({ resolve, reject }));
  }

  waitingRecords(): number {
    return this.#backlog.records;
  }

  /** Writes all submitted requests, then ends the thread. */
  async close(): Promise<void> {
    this.#postGathered();
    const worker = this.#worker;
    if (worker === undefined) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    this.#post({ end: true });
    await exited;
  }

  #postGathered(): void {
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
      // Objects of the thread live for one group: 16 MB, a third of the default, is as fast.
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
      // It is unknown whether the last group was committed. Its requests fail, and their callers may repeat them.
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
