import { setTimeout } from 'node:timers/promises';
import type { Transferable, Worker } from 'node:worker_threads';
import type { TenantSettings } from '../../domain/tenant.js';
import { ThreadHangs } from '../errors.js';
import type { StoreObservers } from '../observer.js';
import type { KeyUse, UpsertCounts, UpsertRequest } from '../requests.js';
import type { ImportOptions, ImportSession, ImportStep } from './import-run.js';
import { errorOf, failure, type IngestFailure } from './ingest-failure.js';
import {
  addBounded,
  type IngestCall,
  type IngestOutcome,
  type IngestReply,
  type RequestHead,
} from './ingest-messages.js';
import { movableBytes } from './movable-bytes.js';
import type { Received, ReceivedRequest } from './received-request.js';
import { estimateRecords, type WriteBacklog } from './write-backlog.js';

/** An outcome whose error is an `Error` again. */
type Settled = Received | Exclude<IngestOutcome, IngestFailure | { readonly failed: IngestFailure }>;

interface Pending {
  /** What it takes of the backlog; none for internal calls. */
  readonly size: { readonly records: number; readonly bytes: number } | undefined;
  readonly resolve: (outcome: Settled) => void;
  readonly reject: (error: Error) => void;
}

export interface IngestThreadOptions {
  /** Starts the thread. */
  spawn(): Worker;
  /** The requests that wait to be written, in all threads. */
  readonly backlog: WriteBacklog;
  /** The largest number of records in a batch. */
  readonly maxBatch: number;
  readonly observers: StoreObservers;
  /** Recognizes the error with which a thread ended. */
  readonly readError?: (error: Error) => Error;
  /** Called when the thread has ended without `close` or `abandon`. */
  readonly onExit?: () => void;
  /** How long a thread may take to reply to a ping. */
  readonly pingMs?: number;
  /** Called after each group with the number of its records. */
  readonly onWritten?: (records: number) => void;
}

/** With fewer requests per message, posting costs more than the two threads gain by working in parallel. */
const REQUESTS_PER_MESSAGE = 16;
/** Longer than a thread waits for the lock of the database, while it replies to nothing. */
const PING_MS = 5_000;
/** The part of the backlog that imports may fill; they wait where other requests are rejected. */
const IMPORT_SHARE = 0.5;

/**
 * The event loop's side of an ingest thread, which parses, validates and writes requests. Requests that arrive in the
 * same turn share a message. If the thread ends, all pending requests reject, and the next request starts a new one.
 */
export class IngestThread {
  readonly #options: IngestThreadOptions;
  readonly #pending = new Map<number, Pending>();
  /** The settings that the thread has, by tenant. */
  readonly #settings = new Map<number, TenantSettings>();
  #heads: RequestHead[] = [];
  #bodies: Buffer[] = [];
  #lastId = 0;
  #pendingBytes = 0;
  #worker: Worker | undefined;
  #isClosing = false;

  constructor(options: IngestThreadOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#isClosing) throw new Error('The store is closed.');
    this.#worker ??= this.#spawn();
  }

  /** Parses, validates and writes a request. */
  receive(request: ReceivedRequest): Promise<Received> {
    const { kind, tenantId, settings, senderId, source, runId, mode, isMirrored, requestId, at, body } =
      request;
    const records = kind === 'account' ? 1 : Math.min(estimateRecords(body.length), this.#options.maxBatch);
    return this.#call({ records, bytes: body.length }, (id) => {
      this.#provide(tenantId, settings);
      if (this.#heads.length === 0) setImmediate(() => this.#postGathered());
      const by = { tenantId, senderId, source, runId, mode, isMirrored, requestId, at };
      this.#heads.push({ id, kind, ...by, bytes: body.length });
      this.#bodies.push(body);
      // An idle thread gets the request immediately.
      if (this.#heads.length >= REQUESTS_PER_MESSAGE || this.#pending.size === 1) this.#postGathered();
    }) as Promise<Received>;
  }

  /** Writes patches. */
  async upsert(upsert: UpsertRequest): Promise<UpsertCounts> {
    const size = { records: upsert.patches.length, bytes: upsert.bytes };
    const outcome = await this.#call(size, (id) => this.#post({ id, upsert }));
    return (outcome as { upserted: UpsertCounts }).upserted;
  }

  beginImport(options: ImportOptions): ImportSession {
    this.#lastId += 1;
    const importId = this.#lastId;
    this.#post({ importId, begin: options });
    return {
      push: (chunk, settings, at) => {
        const { length } = chunk.bytes;
        const send = (id: number) => {
          const bytes = movableBytes([chunk.bytes]);
          this.#provide(options.tenantId, settings);
          this.#post({ importId, id, bytes, isLast: chunk.isLast, at }, [bytes.buffer]);
        };
        const size = { records: estimateRecords(length), bytes: length };
        return this.#call(size, send, IMPORT_SHARE).then((outcome) => {
          const { step } = outcome as { step: ImportStep };
          if (step.end !== undefined && 'error' in step.end)
            this.#options.observers.failed(errorOf(step.end));
          return step;
        });
      },
      close: () => this.#post({ importId, close: true }),
    };
  }

  async recordKeyUse(keyUses: readonly KeyUse[]): Promise<void> {
    await this.#call(undefined, (id) => this.#post({ id, keyUses }));
  }

  /** Resolves when the thread replies. Rejects with `ThreadHangs` if it does not. */
  async ping(): Promise<void> {
    const { pingMs = PING_MS } = this.#options;
    const reply = this.#call(undefined, (id) => this.#post({ id, ping: true }));
    const timeout = new AbortController();
    const hangs = setTimeout(pingMs, undefined, { signal: timeout.signal, ref: false }).then(() => {
      throw new ThreadHangs(`A thread that writes accounts has not replied for ${pingMs / 1_000} seconds.`);
    });
    await Promise.race([reply, hangs]).finally(() => timeout.abort());
  }

  /** Bytes of the requests that have no reply yet. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Gives the thread up. Its pending requests reject. */
  abandon(): void {
    const worker = this.#worker;
    this.#forget();
    // Not `terminate`: it would interrupt the database's native code, which then ends the whole process.
    worker?.postMessage({ exit: true } satisfies IngestCall);
  }

  /** Writes all submitted requests, then ends the thread. */
  async close(): Promise<void> {
    this.#postGathered();
    const worker = this.#worker;
    this.#isClosing = true;
    if (worker === undefined) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({ end: true } satisfies IngestCall);
    await exited;
  }

  /** Throws `QueueFull` if the backlog has no room. */
  #call(size: Pending['size'], send: (id: number) => void, share = 1): Promise<Settled> {
    if (size !== undefined) {
      this.#options.backlog.add(size, share);
      this.#pendingBytes += size.bytes;
    }
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { size, resolve, reject });
      send(id);
    });
  }

  /** Sends the settings of a tenant, if they are new to the thread. */
  #provide(tenantId: number, settings: TenantSettings): void {
    if (this.#settings.get(tenantId) === settings) return;
    this.#post({ tenantId, settings });
    addBounded(this.#settings, tenantId, settings);
  }

  #postGathered(): void {
    if (this.#heads.length === 0) return;
    const bodies = movableBytes(this.#bodies);
    const requests = this.#heads;
    this.#heads = [];
    this.#bodies = [];
    this.#post({ requests, bodies }, [bodies.buffer]);
  }

  #post(call: IngestCall, moved: Transferable[] = []): void {
    this.#postGathered();
    this.start();
    this.#worker?.postMessage(call, moved);
  }

  #spawn(): Worker {
    const worker = this.#options.spawn();
    let cause: unknown;
    worker.on('message', (reply: IngestReply) => this.#settle(reply));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#forget(cause);
      if (!this.#isClosing) this.#options.onExit?.();
    });
    return worker;
  }

  /** It is unknown whether the last group was committed. Its requests fail, and their callers may repeat them. */
  #forget(cause?: unknown): void {
    this.#worker = undefined;
    this.#settings.clear();
    this.#heads = [];
    this.#bodies = [];
    const ended = new Error('The ingest thread ended.', { cause });
    const outcome = failure(this.#options.readError?.(ended) ?? ended);
    this.#settle({ replies: [...this.#pending.keys()].map((id) => [id, outcome]) });
  }

  #settle({ replies, group }: IngestReply): void {
    const { observers, onWritten } = this.#options;
    let failed: Error | undefined;
    for (const [id, outcome] of replies) {
      const pending = this.#remove(id);
      if ('error' in outcome) {
        failed = errorOf(outcome);
        pending?.reject(failed);
      } else if ('failed' in outcome) {
        failed = errorOf(outcome.failed);
        pending?.resolve({ failed, records: outcome.records });
      } else pending?.resolve(outcome);
    }
    if (group !== undefined) {
      observers.groupCommitted(group.counts, group.seconds);
      const { created, updated, unchanged, skipped, archived, restored, deleted } = group.counts;
      onWritten?.(created + updated + unchanged + skipped + archived + restored + deleted);
    }
    if (failed !== undefined) observers.failed(failed);
  }

  #remove(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending?.size === undefined) return pending;
    this.#options.backlog.remove(pending.size);
    this.#pendingBytes -= pending.size.bytes;
    return pending;
  }
}
