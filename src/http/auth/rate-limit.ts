import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import type { Store } from '../../store/store.js';
import { httpError } from '../errors.js';

const MINUTE_MS = 60_000;

/** Requests that one key or user has left in one minute, as known to this process. */
interface Allowance {
  readonly senderId: string;
  readonly minute: number;
  /** Requests leased from the store for this process and not used yet. */
  granted: number;
  /** Requests left in the store after the last lease. */
  remaining: number;
  leasing: Promise<boolean> | undefined;
}

/**
 * Limits the requests of each key or user per minute, over all processes on one database: a fixed-window counter in the
 * database, leased in portions. A query per request would be too expensive, so each process leases some requests at a
 * time and counts them down in memory.
 *
 *   authorize ─▶ granted > 0? ──yes──▶ granted − 1, accept
 *                    │ no
 *                    ├─ remaining > 0 ─▶ lease more from the store, try again
 *                    └─ remaining = 0 ─▶ 429 until the minute ends
 *
 * Invariants: all processes together never grant more than the limit; one lease per sender is under way at a time; if the
 * store fails, requests are accepted, because the operation itself reports the database failure.
 */
export class RateLimit {
  readonly #store: Store;
  readonly #limit: number;
  readonly #log: FastifyBaseLogger;
  /** Of the current minute. */
  readonly #allowances = new Map<string, Allowance>();
  #minute = 0;
  #warnedIn = 0;

  constructor(store: Store, limit: number, log: FastifyBaseLogger) {
    this.#store = store;
    this.#limit = limit;
    this.#log = log;
  }

  /** Rejects a request over the limit; sets the `RateLimit` headers on every response. */
  authorize(senderId: string, now: number, reply: FastifyReply): void | Promise<void> {
    const allowance = this.#allowanceOf(senderId, Math.floor(now / MINUTE_MS));
    if (allowance.granted === 0 && allowance.remaining > 0)
      return this.#authorizeAfterLease(allowance, now, reply);
    this.#consume(allowance, now, reply);
  }

  async #authorizeAfterLease(allowance: Allowance, now: number, reply: FastifyReply): Promise<void> {
    while (allowance.granted === 0 && allowance.remaining > 0) {
      allowance.leasing ??= this.#lease(allowance);
      // The store failed: accept the request. The operation reports the failure if it needs the database.
      if (!(await allowance.leasing)) return this.#setHeaders(allowance, now, reply);
    }
    this.#consume(allowance, now, reply);
  }

  #consume(allowance: Allowance, now: number, reply: FastifyReply): void {
    const isAllowed = allowance.granted > 0;
    if (isAllowed) allowance.granted -= 1;
    this.#setHeaders(allowance, now, reply);
    if (!isAllowed) throw httpError('rate_limited', secondsLeft(allowance, now));
  }

  /** Headers of draft-ietf-httpapi-ratelimit-headers. */
  #setHeaders(allowance: Allowance, now: number, reply: FastifyReply): void {
    const left = allowance.granted + allowance.remaining;
    reply.header('ratelimit-policy', `"key";q=${this.#limit};w=60`);
    reply.header('ratelimit', `"key";r=${left};t=${secondsLeft(allowance, now)}`);
  }

  #allowanceOf(senderId: string, minute: number): Allowance {
    // A request of the previous minute may arrive late. A clock that was set back starts a new window.
    if (minute > this.#minute || minute < this.#minute - 1) {
      this.#minute = minute;
      this.#allowances.clear();
    }
    let allowance = this.#allowances.get(senderId);
    if (allowance === undefined) {
      allowance = { senderId, minute: this.#minute, granted: 0, remaining: this.#limit, leasing: undefined };
      this.#allowances.set(senderId, allowance);
    }
    return allowance;
  }

  /** Returns false if the store fails. */
  async #lease(allowance: Allowance): Promise<boolean> {
    const { senderId, minute } = allowance;
    try {
      const { granted, remaining } = await this.#store.leaseRequests(senderId, minute, this.#limit);
      allowance.granted += granted;
      allowance.remaining = remaining;
      return true;
    } catch (error) {
      if (this.#warnedIn !== minute) this.#log.warn({ err: error }, 'rate limits are not checked');
      this.#warnedIn = minute;
      return false;
    } finally {
      allowance.leasing = undefined;
    }
  }
}

function secondsLeft({ minute }: Allowance, now: number): number {
  return Math.ceil(((minute + 1) * MINUTE_MS - now) / 1_000);
}
