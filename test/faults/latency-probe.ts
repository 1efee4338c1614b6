import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** The observations of the probe during a phase. */
export interface Observations {
  /** Wrong responses, and requests without a response. */
  readonly problems: readonly string[];
  readonly p99Ms: number;
}

/**
 * Measures the latency of normal requests while a test does something else: it writes and reads accounts, one request
 * at a time. It runs in its own thread, so that the load of the test does not delay its measurements.
 */
export class LatencyProbe {
  readonly #thread: Worker;

  constructor(url: string, key: string) {
    this.#thread = new Worker(new URL('./latency-probe-thread.js', import.meta.url), {
      workerData: { url, key },
    });
  }

  /** Returns the observations while `work` runs. */
  async during(work: () => Promise<unknown>): Promise<Observations> {
    await this.#collect();
    await work();
    const { times, problems } = await this.#collect();
    times.sort((a, b) => a - b);
    const p99Ms = times[Math.ceil(times.length * 0.99) - 1] ?? 0;
    return { problems, p99Ms };
  }

  async stop(): Promise<void> {
    const exit = once(this.#thread, 'exit');
    this.#thread.postMessage('stop');
    await exit;
  }

  async #collect(): Promise<{ times: number[]; problems: string[] }> {
    const message = once(this.#thread, 'message');
    this.#thread.postMessage('collect');
    const [observed] = await message;
    return observed;
  }
}
