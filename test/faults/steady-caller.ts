import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What a caller has seen for a while. */
export interface Seen {
  /** Answers that were wrong, and requests without any. */
  readonly problems: readonly string[];
  readonly p99Ms: number;
}

/** Writes accounts and reads them, one request after the other, without a thought of what others do. */
export class SteadyCaller {
  readonly #thread: Worker;

  constructor(url: string, key: string) {
    this.#thread = new Worker(new URL('./steady-caller-thread.js', import.meta.url), {
      workerData: { url, key },
    });
  }

  /** What it sees while `work` is done. */
  async during(work: () => Promise<unknown>): Promise<Seen> {
    await this.#take();
    await work();
    const { times, problems } = await this.#take();
    times.sort((a, b) => a - b);
    const p99Ms = times[Math.ceil(times.length * 0.99) - 1] ?? 0;
    return { problems, p99Ms };
  }

  async stop(): Promise<void> {
    const exit = once(this.#thread, 'exit');
    this.#thread.postMessage('stop');
    await exit;
  }

  async #take(): Promise<{ times: number[]; problems: string[] }> {
    const answer = once(this.#thread, 'message');
    this.#thread.postMessage('take');
    const [taken] = await answer;
    return taken;
  }
}
