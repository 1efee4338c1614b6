import type { FastifyBaseLogger } from 'fastify';
import type { Store } from '../../store/store.js';

const FLUSH_INTERVAL_MS = 60_000;

/** When each key was last used, written now and then: an hour of traffic need not cost an hour of writes. */
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

  note(keyId: string, at: number): void {
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
    // A lost last use harms nobody, so a failure is only logged.
    await this.#store
      .recordKeyUse(uses)
      .catch((error) => this.#log.warn(error, 'last use of keys not recorded'));
  }
}
