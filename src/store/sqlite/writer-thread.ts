import { Worker } from 'node:worker_threads';
import type { UpsertOutcome } from '../group-commit.js';
import type { KeyUse, UpsertRequest } from '../store.js';

/** With neither `write` nor `recordKeyUse` the thread closes its connection and ends. */
export interface WriterCall {
  readonly id: number;
  /** A group as JSON: half the time of a structured clone. */
  readonly write?: string;
  readonly recordKeyUse?: readonly KeyUse[];
}

export interface WriterReply {
  readonly id: number;
  readonly outcomes?: readonly UpsertOutcome[];
  readonly error?: Error;
}

interface Pending {
  readonly resolve: (reply: WriterReply) => void;
  readonly reject: (error: Error) => void;
}

/** The account writer in a thread of its own, so that no fsync stops the event loop; begun anew should it die. */
export class WriterThread {
  readonly #file: string;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(file: string) {
    this.#file = file;
  }

  start(): void {
    this.#worker ??= this.#spawn();
  }

  async write(group: readonly UpsertRequest[]): Promise<readonly UpsertOutcome[]> {
    const { outcomes } = await this.#call({ write: JSON.stringify(group) });
    return outcomes ?? [];
  }

  async recordKeyUse(uses: readonly KeyUse[]): Promise<void> {
    await this.#call({ recordKeyUse: uses });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({ id: 0 } satisfies WriterCall);
    await exited;
  }

  #call(call: Omit<WriterCall, 'id'>): Promise<WriterReply> {
    this.#worker ??= this.#spawn();
    this.#lastId += 1;
    const id = this.#lastId;
    const reply = new Promise<WriterReply>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#worker.postMessage({ id, ...call } satisfies WriterCall);
    return reply;
  }

  #spawn(): Worker {
    const worker = new Worker(new URL('./writer-worker.js', import.meta.url), {
      workerData: { file: this.#file },
    });
    let cause: unknown;
    worker.on('message', (reply: WriterReply) => {
      const pending = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if (reply.error !== undefined) pending?.reject(reply.error);
      else pending?.resolve(reply);
    });
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#worker = undefined;
      // Whether the last group was committed is unknown; its callers are told that it failed, and may repeat it.
      for (const { reject } of this.#pending.values())
        reject(new Error('The writer thread ended.', { cause }));
      this.#pending.clear();
    });
    return worker;
  }
}
