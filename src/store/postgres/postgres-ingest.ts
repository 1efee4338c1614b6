import type { StoreObservers } from '../observer.js';
import type { KeyUse, UpsertCounts, UpsertRequest } from '../requests.js';
import type { ImportOptions, ImportSession } from '../write/import-run.js';
import { IngestThread } from '../write/ingest-thread.js';
import type { RequestLimits } from '../write/prepare-request.js';
import { isLarge, type Received, type ReceivedRequest } from '../write/received-request.js';
import { startThread } from '../write/start-thread.js';
import { type QueueLimits, WriteBacklog } from '../write/write-backlog.js';
import type { Purpose } from './prepare-session.js';

export interface IngestWorkerData {
  readonly servers: readonly string[];
  readonly purpose: Purpose;
  /** How many connections the thread may open. */
  readonly connections: number;
  readonly limits: RequestLimits;
}

export interface PostgresIngestOptions extends Omit<IngestWorkerData, 'connections'> {
  readonly threads: number;
  /** For all threads together; at least one for each. */
  readonly connections: number;
  readonly queueLimits: QueueLimits;
  readonly observers: StoreObservers;
}

/**
 * The threads of the account write on PostgreSQL. Each has its own connections, and parses, validates and commits
 * groups of requests (`ingest-worker.ts`):
 *
 *   event loop ── small bodies, patches ──▶ the first
 *              ── large bodies, imports ──▶ that of the others with the fewest bytes to do
 *
 * One thread for all small bodies makes the largest groups: with two, PostgreSQL needed a third more processor time for
 * each.
 */
export class PostgresIngest {
  readonly #threads: readonly IngestThread[];
  readonly #backlog: WriteBacklog;

  constructor(options: PostgresIngestOptions) {
    const { servers, purpose, limits, threads, queueLimits, observers } = options;
    const { maxBatch } = limits;
    this.#backlog = new WriteBacklog(queueLimits);
    this.#threads = Array.from({ length: threads }, (_, i) => {
      const connections = connectionsOf(i, threads, options.connections);
      const data: IngestWorkerData = { servers, purpose, limits, connections };
      const spawn = () => startThread(new URL('./ingest-worker.js', import.meta.url), data);
      return new IngestThread({ spawn, backlog: this.#backlog, maxBatch, observers });
    });
  }

  start(): void {
    for (const thread of this.#threads) thread.start();
  }

  receive(request: ReceivedRequest): Promise<Received> {
    return (isLarge(request) ? this.#leastBusyOther() : this.#first).receive(request);
  }

  upsert(request: UpsertRequest): Promise<UpsertCounts> {
    return this.#first.upsert(request);
  }

  beginImport(options: ImportOptions): ImportSession {
    return this.#leastBusyOther().beginImport(options);
  }

  recordKeyUse(uses: readonly KeyUse[]): Promise<void> {
    return this.#first.recordKeyUse(uses);
  }

  waitingRecords(): number {
    return this.#backlog.records;
  }

  /** Resolves when all threads reply. */
  async ping(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.ping()));
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  get #first(): IngestThread {
    return this.#threads[0] as IngestThread;
  }

  #leastBusyOther(): IngestThread {
    const [first, ...others] = this.#threads as readonly [IngestThread, ...IngestThread[]];
    return others.reduce(
      (chosen, other) => (other.pendingBytes < chosen.pendingBytes ? other : chosen),
      others[0] ?? first,
    );
  }
}

/** The first thread serves all tenants, so it gets what the others leave, and at least two if possible. */
function connectionsOf(thread: number, threads: number, all: number): number {
  if (threads === 1) return all;
  const other = Math.max(Math.floor((all - 2) / (threads - 1)), 1);
  return thread === 0 ? all - other * (threads - 1) : other;
}
