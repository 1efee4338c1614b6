import { Worker } from 'node:worker_threads';

/** More would keep the disk busy for longer at a time, and every commit waits for the disk. */
const RECORDS_BETWEEN = 1_000;

/**
 * Moves what the writer has appended to the write-ahead log on into the database file, beside the writer, which
 * would otherwise stop for it. Nothing depends on it: where it fails, the log grows until the writer does so itself.
 */
export class CheckpointThread {
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  #records = 0;
  #isBusy = false;

  constructor(file: string) {
    this.#worker = new Worker(new URL('./checkpoint-worker.js', import.meta.url), {
      workerData: { file },
      resourceLimits: { maxYoungGenerationSizeMb: 1 },
    });
    this.#worker.on('message', () => {
      this.#isBusy = false;
    });
    this.#worker.on('error', () => {});
    this.#exited = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
  }

  written(records: number): void {
    this.#records += records;
    if (this.#isBusy || this.#records < RECORDS_BETWEEN) return;
    this.#records = 0;
    this.#isBusy = true;
    this.#worker.postMessage('checkpoint');
  }

  async close(): Promise<void> {
    this.#worker.postMessage('end');
    await this.#exited;
  }
}
