import { Worker } from 'node:worker_threads';

export interface DeliveryWorkerData {
  readonly database: string;
  readonly privateHosts: readonly string[];
}

/** Messages to webhooks. */
export interface DeliveryCounts {
  taken: number;
  failed: number;
  /** In messages that were taken. */
  events: number;
}

/** From the thread. */
export type DeliveryReport = { readonly counts: DeliveryCounts } | { readonly error: Error };

interface DeliveryThreadParts extends DeliveryWorkerData {
  /** Whether there are webhooks to deliver to. */
  readonly isNeeded: () => Promise<boolean>;
  /** Called for failures that keep webhooks waiting. */
  readonly onError: (error: Error) => void;
}

/** How often it is checked whether a thread is needed, and none is there. */
const CHECK_MS = 1_000;

/**
 * The thread that delivers to webhooks, with its own connections to the database: encoding and signing events takes as
 * much processor time as writing accounts, and must not delay requests. It is started when there is the first webhook.
 */
export class DeliveryThread {
  /** What all threads have delivered since the start. */
  readonly counts: DeliveryCounts = { taken: 0, failed: 0, events: 0 };
  readonly #parts: DeliveryThreadParts;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(parts: DeliveryThreadParts) {
    this.#parts = parts;
    this.#startLater();
  }

  /** Waits until the thread has stored what it has delivered. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    const worker = this.#worker;
    if (worker === undefined) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    await exited;
  }

  #startLater(): void {
    if (this.#isClosing) return;
    this.#timer = setTimeout(async () => {
      // The database may be away for a while.
      const isNeeded = await this.#parts.isNeeded().catch(() => false);
      if (isNeeded && !this.#isClosing) this.#start();
      else this.#startLater();
    }, CHECK_MS);
    this.#timer.unref();
  }

  #start(): void {
    const { database, privateHosts, onError } = this.#parts;
    const workerData: DeliveryWorkerData = { database, privateHosts };
    const worker = new Worker(new URL('./delivery-worker.js', import.meta.url), {
      workerData,
      // Pages of events live for some seconds.
      resourceLimits: { maxYoungGenerationSizeMb: 32 },
    });
    this.#worker = worker;
    worker.on('message', (message: DeliveryReport) => {
      if ('error' in message) return onError(message.error);
      for (const name of ['taken', 'failed', 'events'] as const) this.counts[name] += message.counts[name];
    });
    worker.on('error', (error) => onError(error as Error));
    worker.on('exit', () => {
      this.#worker = undefined;
      this.#startLater();
    });
  }
}
