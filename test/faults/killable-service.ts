import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { Random } from '../../dist/cli/demo/random.js';
import type { Database } from '../support/databases.js';
import { Service, start } from '../support/service.js';
import { Caller } from './caller.js';
import type { Trial } from './trial.js';

export const KEY = 'a-key-that-outlives-every-process-0123456789';
/** Slower starts are counted, but do not fail the test: the machine may be busy. */
const START_GOAL_MS = 2_000;

/** A server that can be killed with SIGKILL and started again. */
export class KillableService {
  readonly settings: Readonly<Record<string, string>>;
  readonly #trial: Trial;
  readonly #random: Random;
  #service: Service | undefined;

  constructor(database: Database, trial: Trial, random: Random) {
    // Logs are off, so that any output to standard error is a failure of the test.
    this.settings = {
      ...database.settings,
      ACCOUNT_SYNC_LOG_LEVEL: 'silent',
      ACCOUNT_SYNC_API_KEY: KEY,
      ACCOUNT_SYNC_PORT: '0',
    };
    this.#trial = trial;
    this.#random = random;
    onTestFinished(async () => {
      await this.#service?.stop('SIGKILL');
    });
  }

  /** The address of the running server. */
  get url(): string {
    return this.#service?.url ?? '';
  }

  /** Starts the server; resolves with a new caller when it is ready. */
  async start(): Promise<Caller> {
    const startedAt = performance.now();
    this.#service = await Service.start(this.settings);
    const caller = new Caller(this.#service.url, KEY, this.#trial);
    while ((await caller.get('/readyz')) !== 200) await pause(5);
    const took = performance.now() - startedAt;
    const { figures } = this.#trial;
    figures.starts = (figures.starts ?? 0) + 1;
    figures['slowest start, ms'] = Math.max(took, figures['slowest start, ms'] ?? 0);
    if (took > START_GOAL_MS) figures['starts above 2 s'] = (figures['starts above 2 s'] ?? 0) + 1;
    return caller;
  }

  async kill(): Promise<void> {
    await this.#service?.stop('SIGKILL');
    expect(this.#service?.output.stderr).toBe('');
  }

  /** Starts a server and kills it during its start or shortly after. */
  async killEarly(): Promise<void> {
    const { child, finished } = start(['serve'], this.settings);
    const slowest = this.#trial.figures['slowest start, ms'] ?? 1_000;
    await pause(this.#random.between(0, Math.min(slowest, START_GOAL_MS)));
    child.kill('SIGKILL');
    expect(await finished).toMatchObject({ status: null, stderr: '' });
  }
}
