import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Activities } from './activities.js';
import type { LoadStatistics } from './load-statistics.js';

/** All activities of normal clients at a moderate rate, until it is stopped. */
export class RealisticLoad {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #activities: Activities;
  readonly #running: Promise<unknown>;
  readonly #statistics: LoadStatistics;
  #isOver = false;

  /** `restMs` is the average pause of an activity between two repetitions. */
  constructor(url: string, key: string, statistics: LoadStatistics, restMs: number) {
    this.#statistics = statistics;
    this.#activities = new Activities(url, key, this.#agent, statistics);
    this.#running = Promise.all(this.#activities.all.map((activity) => this.#repeat(activity, restMs)));
  }

  get requests(): number {
    return this.#activities.requests;
  }

  /** Resolves when every request has its response and every connection is closed. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
    this.#agent.destroy();
  }

  async #repeat(activity: (n: number) => Promise<void>, restMs: number): Promise<void> {
    for (let n = 1; !this.#isOver; n += 1) {
      await activity(n).catch((error) => this.#statistics.unexpected.push(String(error)));
      await pause(2 * restMs * Math.random());
    }
  }
}
