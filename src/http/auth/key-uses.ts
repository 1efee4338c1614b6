import type { FastifyBaseLogger } from 'fastify';
import type { Store } from '../../store/store.js';

const FLUSH_INTERVAL_MS = 60_000;

/** Records when each key was last used, in memory, and writes it once a minute instead of once per request. */
export class KeyUses {
  readonly #store: Store;
  readonly #log: FastifyBaseLogger;
  readonly #timer: NodeJS.Timeout;
  #uses = new Map<string, number>();

  constructor(store: Store, log: FastifyBaseLogger) {
    this.#store = store;
    this.#log = log;
    this.#timer = setInterval(() => this.#flush(), FLUSH_INTERVAL_MS).unref();
  }

  record(keyId: string, at: number): void {
    this.#uses.set(keyId, at);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = [...this.#uses].map(([keyId, at]) => ({ keyId, at }));
    this.#uses = new Map();
    // The last use is informational, so a failure is only logged.
    await this.#store
      .recordKeyUse(uses)
      .catch((error) => this.#log.warn(error, 'last use of keys not recorded'));
  }
}
