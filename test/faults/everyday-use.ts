import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Activities } from './activities.js';
import type { Tally } from './tally.js';

/** Everything that callers do, mixed, at a moderate rate, until it is stopped. */
export class EverydayUse {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #activities: Activities;
  readonly #running: Promise<unknown>;
  readonly #tally: Tally;
  #isOver = false;

  /** Each activity rests for so long between two times, give or take. */
  constructor(url: string, key: string, tally: Tally, restMs: number) {
    this.#tally = tally;
    this.#activities = new Activities(url, key, this.#agent, tally);
    this.#running = Promise.all(this.#activities.all.map((activity) => this.#repeat(activity, restMs)));
  }

  get requests(): number {
    return this.#activities.requests;
  }

  /** Resolves once every request is answered and every connection closed. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
    this.#agent.destroy();
  }

  async #repeat(activity: (n: number) => Promise<void>, restMs: number): Promise<void> {
    for (let n = 1; !this.#isOver; n += 1) {
      await activity(n).catch((error) => this.#tally.unexpected.push(String(error)));
      await pause(2 * restMs * Math.random());
    }
  }
}
