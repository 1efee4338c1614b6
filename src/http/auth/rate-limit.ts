import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import type { Store } from '../../store/store.js';
import { httpError } from '../errors.js';

const MINUTE_MS = 60_000;

/** What one key may still do in one minute, as far as this process knows. */
interface Allowance {
  readonly keyId: string;
  readonly minute: number;
  /** Taken from the store for this process, and not used yet. */
  granted: number;
  /** Left in the store when it was last asked. */
  remaining: number;
  leasing: Promise<boolean> | undefined;
}

/** How many requests each key may make in each minute, over all processes on one database. */
export class RateLimit {
  readonly #store: Store;
  readonly #limit: number;
  readonly #log: FastifyBaseLogger;
  /** Those of the present minute. */
  readonly #allowances = new Map<string, Allowance>();
  #minute = 0;
  #warnedIn = 0;

  constructor(store: Store, limit: number, log: FastifyBaseLogger) {
    this.#store = store;
    this.#limit = limit;
    this.#log = log;
  }

  /** Refuses a request over the limit; says on every answer what is left. */
  authorize(keyId: string, now: number, reply: FastifyReply): void | Promise<void> {
    const allowance = this.#allowanceOf(keyId, Math.floor(now / MINUTE_MS));
    if (allowance.granted === 0 && allowance.remaining > 0) return this.#admitLater(allowance, now, reply);
    this.#take(allowance, now, reply);
  }

  async #admitLater(allowance: Allowance, now: number, reply: FastifyReply): Promise<void> {
    while (allowance.granted === 0 && allowance.remaining > 0) {
      allowance.leasing ??= this.#lease(allowance);
      // What is wrong with the database will be said by what needs it.
      if (!(await allowance.leasing)) return this.#describe(allowance, now, reply);
    }
    this.#take(allowance, now, reply);
  }

  #take(allowance: Allowance, now: number, reply: FastifyReply): void {
    const isAdmitted = allowance.granted > 0;
    if (isAdmitted) allowance.granted -= 1;
    this.#describe(allowance, now, reply);
    if (!isAdmitted) throw httpError('rate_limited', secondsLeft(allowance, now));
  }

  /** draft-ietf-httpapi-ratelimit-headers. */
  #describe(allowance: Allowance, now: number, reply: FastifyReply): void {
    const left = allowance.granted + allowance.remaining;
    reply.header('ratelimit-policy', `"key";q=${this.#limit};w=60`);
    reply.header('ratelimit', `"key";r=${left};t=${secondsLeft(allowance, now)}`);
  }

  #allowanceOf(keyId: string, minute: number): Allowance {
    // A request of the minute before may come late; a clock that was set back begins anew.
    if (minute > this.#minute || minute < this.#minute - 1) {
      this.#minute = minute;
      this.#allowances.clear();
    }
    let allowance = this.#allowances.get(keyId);
    if (allowance === undefined) {
      allowance = { keyId, minute: this.#minute, granted: 0, remaining: this.#limit, leasing: undefined };
      this.#allowances.set(keyId, allowance);
    }
    return allowance;
  }

  /** `false` where the store cannot be asked. */
  async #lease(allowance: Allowance): Promise<boolean> {
    const { keyId, minute } = allowance;
    try {
      const { granted, remaining } = await this.#store.leaseRequests(keyId, minute, this.#limit);
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
