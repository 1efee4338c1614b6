import type { FastifyBaseLogger } from 'fastify';
import type { Store } from '../../store/store.js';
import type { Principal } from './principals.js';

const FLUSH_INTERVAL_MS = 60_000;

/**
 * Records when each key, user and session was last used, in memory, and writes it once a minute instead of once per
 * request.
 */
export class LastUses {
  readonly #store: Store;
  readonly #log: FastifyBaseLogger;
  readonly #timer: NodeJS.Timeout;
  #keys = new Map<string, number>();
  #sessions = new Map<string, { readonly principal: Principal; readonly at: number }>();

  constructor(store: Store, log: FastifyBaseLogger) {
    this.#store = store;
    this.#log = log;
    this.#timer = setInterval(() => this.#flush(), FLUSH_INTERVAL_MS).unref();
  }

  record(principal: Principal, at: number): void {
    if (principal.user === undefined) this.#keys.set(principal.senderId, at);
    if (principal.session !== undefined) this.#sessions.set(principal.session.hash, { principal, at });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
  }

  async #flush(): Promise<void> {
    const keys = [...this.#keys].map(([keyId, at]) => ({ keyId, at }));
    const sessions = [...this.#sessions].map(([hash, { principal, at }]) => ({ hash, principal, at }));
    this.#keys = new Map();
    this.#sessions = new Map();
    // The last use is informational, so a failure is only logged.
    const warn = (error: unknown) => this.#log.warn(error, 'last use of keys and users not recorded');
    if (keys.length > 0) await this.#store.recordKeyUse(keys).catch(warn);
    if (sessions.length > 0) await this.#recordSessions(sessions).catch(warn);
  }

  async #recordSessions(
    all: readonly { readonly hash: string; readonly principal: Principal; readonly at: number }[],
  ): Promise<void> {
    const { sessions, users } = this.#store.directory;
    await sessions.recordUse(all);
    const ofUsers = all.filter(({ principal }) => principal.user !== undefined);
    await users.recordUse(
      ofUsers.map(({ principal, at }) => ({ tenantId: principal.tenant.id, userId: principal.senderId, at })),
    );
  }
}
