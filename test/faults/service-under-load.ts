import { expect, onTestFinished, vi } from 'vitest';
import { Service } from '../support/service.js';
import { Caller } from './caller.js';
import { PersistentLoad, SENDERS } from './persistent-load.js';
import { StoredAccounts } from './stored-accounts.js';
import type { Tally } from './tally.js';

/** No request takes longer, whatever the database does. */
const ANSWER_WITHIN_MS = 6_000;
/** Once the database is back, so is the service. */
const RECOVER_WITHIN_MS = 5_000;
const SOME = 60;

/** A service to whose database something happens, again and again, while it is used. */
export class ServiceUnderLoad {
  readonly caller: Caller;
  readonly #service: Service;
  readonly #tally: Tally;
  #cycles = 0;

  private constructor(service: Service, tally: Tally) {
    this.#service = service;
    this.#tally = tally;
    this.caller = new Caller(service.url, service.key, tally);
  }

  static async start(database: string, tally: Tally): Promise<ServiceUnderLoad> {
    // Without logs, whatever is written to standard error is a mistake.
    const service = await Service.start({ ACCOUNT_SYNC_LOG_LEVEL: 'silent', DATABASE_URL: database });
    onTestFinished(async () => {
      await service.stop('SIGKILL');
    });
    return new ServiceUnderLoad(service, tally);
  }

  /** Lets `fault` happen under load, then looks at what `database` holds. */
  async cycle(database: string, fault: () => Promise<unknown>): Promise<void> {
    this.#cycles += 1;
    const load = new PersistentLoad(this.caller, `cycle${this.#cycles}`);
    try {
      await this.acknowledges(SOME);
      await fault();
      await this.acknowledges(SOME);
    } finally {
      await load.stop();
    }
    const stored = await StoredAccounts.open(database, this.#tally);
    await stored.compare(load.sent);
    await stored.close();
    expect(stored.problems).toEqual([]);
    expect(this.#tally.unexpected).toEqual([]);
    expect(this.#tally.longestMs).toBeLessThan(ANSWER_WITHIN_MS);
  }

  acknowledges(requests: number): Promise<unknown> {
    const goal = this.#tally.acknowledged + requests;
    return vi.waitUntil(() => this.#tally.acknowledged >= goal, { timeout: 30_000, interval: 5 });
  }

  async recovers(): Promise<void> {
    const startedAt = performance.now();
    await this.acknowledges(1);
    const took = performance.now() - startedAt;
    this.#tally.slowestRecoveryMs = Math.max(this.#tally.slowestRecoveryMs, took);
    expect(took).toBeLessThan(RECOVER_WITHIN_MS);
  }

  /** As long as the database is away: it lives, is not ready, and answers every request with a failure. */
  async isAway(): Promise<void> {
    const { failed } = this.#tally;
    const health = await Promise.all(['/healthz', '/readyz'].map((path) => this.caller.get(path)));
    expect(health).toEqual([200, 503]);
    await this.#fails(failed + SENDERS);
    const { acknowledged } = this.#tally;
    await this.#fails(failed + 2 * SENDERS);
    expect(this.#tally.acknowledged).toBe(acknowledged);
  }

  #fails(goal: number): Promise<unknown> {
    return vi.waitUntil(() => this.#tally.failed >= goal, { timeout: 30_000, interval: 5 });
  }

  /** Ends in order, which shows that it has lived until now. */
  async end(): Promise<void> {
    const status = await this.#service.stop();
    expect([status, this.#service.output.stderr]).toEqual([0, '']);
  }
}
