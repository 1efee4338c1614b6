import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { StoreObservers } from '../observer.js';
import type { KeyUse, UpsertCounts, UpsertRequest } from '../requests.js';
import type { ImportOptions, ImportSession } from '../write/import-run.js';
import { IngestThread } from '../write/ingest-thread.js';
import type { RequestLimits } from '../write/prepare-request.js';
import { isLarge, type Received, type ReceivedRequest } from '../write/received-request.js';
import { startThread } from '../write/start-thread.js';
import { type QueueLimits, WriteBacklog } from '../write/write-backlog.js';
import { asDiskFailure } from './sqlite-errors.js';

export interface SqliteIngestOptions {
  readonly file: string;
  /** How long the writer waits for another process that writes. */
  readonly waitMs: number | undefined;
  readonly limits: RequestLimits;
  readonly queueLimits: QueueLimits;
  readonly observers: StoreObservers;
  /** Called after each group with the number of its records. */
  onWritten(records: number): void;
}

export interface WriterData extends Pick<SqliteIngestOptions, 'file' | 'waitMs' | 'limits'> {
  readonly preparer: MessagePort;
}

export interface PreparerData extends Pick<SqliteIngestOptions, 'file' | 'limits'> {
  readonly writer: MessagePort;
}

/**
 * The threads of the account write on SQLite:
 *
 *   event loop ── small bodies ─────────────────────────────────▶ writer: parse, validate ─┐
 *              ── large bodies, imports ──▶ preparer: parse, validate ── patches ──▶ writer ─┴─▶ write, commit
 *
 * The writer commits everything that has arrived in one transaction. A small body changes threads twice, as few times
 * as possible. A large one never keeps small ones waiting for more than the time of a group, because it is parsed and
 * validated elsewhere. If one of the two threads ends, both start anew.
 */
export class SqliteIngest {
  readonly #writer: IngestThread;
  readonly #preparer: IngestThread;
  readonly #backlog: WriteBacklog;
  #channel: MessageChannel | undefined;

  constructor({ file, waitMs, limits, queueLimits, observers, onWritten }: SqliteIngestOptions) {
    this.#backlog = new WriteBacklog(queueLimits);
    const { maxBatch } = limits;
    const common = { backlog: this.#backlog, maxBatch, observers, readError: asDiskFailure, onWritten };
    this.#writer = new IngestThread({
      ...common,
      spawn: () => {
        const preparer = this.#connect().port1;
        const data: WriterData = { file, waitMs, limits, preparer };
        return startThread(new URL('./writer-worker.js', import.meta.url), data, [preparer]);
      },
      onExit: () => this.#restartWith(this.#preparer),
    });
    this.#preparer = new IngestThread({
      ...common,
      spawn: () => {
        const writer = this.#connect().port2;
        this.#writer.start();
        const data: PreparerData = { file, limits, writer };
        return startThread(new URL('./preparer-worker.js', import.meta.url), data, [writer]);
      },
      onExit: () => this.#restartWith(this.#writer),
    });
  }

  start(): void {
    this.#writer.start();
    this.#preparer.start();
  }

  receive(request: ReceivedRequest): Promise<Received> {
    return (isLarge(request) ? this.#preparer : this.#writer).receive(request);
  }

  upsert(request: UpsertRequest): Promise<UpsertCounts> {
    return this.#writer.upsert(request);
  }

  beginImport(options: ImportOptions): ImportSession {
    return this.#preparer.beginImport(options);
  }

  recordKeyUse(uses: readonly KeyUse[]): Promise<void> {
    return this.#writer.recordKeyUse(uses);
  }

  waitingRecords(): number {
    return this.#backlog.records;
  }

  /** Resolves when all threads reply. */
  async ping(): Promise<void> {
    await Promise.all([this.#writer.ping(), this.#preparer.ping()]);
  }

  async close(): Promise<void> {
    await this.#preparer.close();
    await this.#writer.close();
  }

  #connect(): MessageChannel {
    this.#channel ??= new MessageChannel();
    return this.#channel;
  }

  #restartWith(other: IngestThread): void {
    this.#channel = undefined;
    other.abandon();
  }
}
