import { expect, onTestFinished, vi } from 'vitest';
import { Service, type Settings } from '../support/service.js';
import { Caller } from './caller.js';
import { ContinuousLoad, SENDERS } from './continuous-load.js';
import type { LoadStatistics } from './load-statistics.js';
import { StoredAccounts } from './stored-accounts.js';

/**
 * The limit for every request, also while the database fails, and for the recovery after it is back. Only what hangs
 * takes longer. How long it takes usually depends on the machine, and is in the summary of the trials.
 */
const LIMIT_MS = 20_000;
const REQUESTS_PER_PHASE = 60;

/** A service under load, whose database fails repeatedly. */
export class ServiceUnderLoad {
  readonly caller: Caller;
  readonly #service: Service;
  readonly #statistics: LoadStatistics;
  #cycles = 0;

  private constructor(service: Service, statistics: LoadStatistics) {
    this.#service = service;
    this.#statistics = statistics;
    this.caller = new Caller(service.url, service.key, statistics);
  }

  static async start(
    database: string,
    statistics: LoadStatistics,
    settings: Settings = {},
  ): Promise<ServiceUnderLoad> {
    // Logs are off, so that any output to standard error is a failure of the test.
    const quiet = { ACCOUNT_SYNC_LOG_LEVEL: 'silent', DATABASE_URL: database };
    const service = await Service.start({ ...quiet, ...settings });
    onTestFinished(async () => {
      await service.stop('SIGKILL');
    });
    return new ServiceUnderLoad(service, statistics);
  }

  /** Runs `fault` under load, then checks the contents of `database`. */
  async cycle(database: string, fault: () => Promise<unknown>): Promise<void> {
    this.#cycles += 1;
    const load = new ContinuousLoad(this.caller, `cycle${this.#cycles}`);
    try {
      await this.waitForAcknowledged(REQUESTS_PER_PHASE);
      await fault();
      await this.waitForAcknowledged(REQUESTS_PER_PHASE);
    } finally {
      await load.stop();
    }
    const stored = await StoredAccounts.open(database, this.#statistics);
    await stored.compare(load.sent);
    await stored.close();
    expect(stored.problems).toEqual([]);
    expect(this.#statistics.unexpected).toEqual([]);
    expect(this.#statistics.longestMs).toBeLessThan(LIMIT_MS);
  }

  waitForAcknowledged(requests: number): Promise<unknown> {
    const goal = this.#statistics.acknowledged + requests;
    return vi.waitUntil(() => this.#statistics.acknowledged >= goal, { timeout: 30_000, interval: 5 });
  }

  async expectRecovery(): Promise<void> {
    const startedAt = performance.now();
    await this.waitForAcknowledged(1);
    const took = performance.now() - startedAt;
    this.#statistics.slowestRecoveryMs = Math.max(this.#statistics.slowestRecoveryMs, took);
    expect(took).toBeLessThan(LIMIT_MS);
  }

  /** While the database is unavailable: the service is alive, not ready, and every request fails. */
  async expectUnavailable(): Promise<void> {
    const { failed } = this.#statistics;
    const health = await Promise.all(['/healthz', '/readyz'].map((path) => this.caller.get(path)));
    expect(health).toEqual([200, 503]);
    await this.#waitForFailed(failed + SENDERS);
    const { acknowledged } = this.#statistics;
    await this.#waitForFailed(failed + 2 * SENDERS);
    expect(this.#statistics.acknowledged).toBe(acknowledged);
  }

  #waitForFailed(goal: number): Promise<unknown> {
    return vi.waitUntil(() => this.#statistics.failed >= goal, { timeout: 30_000, interval: 5 });
  }

  /** Stops the service. Exit status 0 shows that it did not crash before. */
  async end(): Promise<void> {
    const status = await this.#service.stop();
    expect([status, this.#service.output.stderr]).toEqual([0, '']);
  }
}
