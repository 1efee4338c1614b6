import type { FastifyRequest } from 'fastify';
import { keyIdIn } from '../domain/api-key.js';
import { clientNetwork } from './client-network.js';
import { refusals, Unauthenticated } from './refusal.js';

const FREE = 10;
/** After the free ones, one each. */
const PER_FAILURE_MS = 60_000;
/** Of those that failed last: whoever has more addresses than this is not held up by any. */
const MAX_NETWORKS = 10_000;

/**
 * Failed sign-ins by address: ten at once, then one a minute. A good key takes none of them back, or whoever has one
 * could try as many as they like; nor does it wait longer than a minute for what others did at the same address.
 */
export class SignInAttempts {
  readonly #elapsed: () => number;
  /** When the last failure of each is forgiven: the one number says how many count. Those that failed last are at the end. */
  readonly #forgivenAt = new Map<string, number>();

  /** Milliseconds that only pass, unlike those of a clock. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Counts a try as failed until it has succeeded: many at once are no way around. */
  async watch(request: FastifyRequest, key: string, admit: () => Promise<void>): Promise<void> {
    const address = clientNetwork(request);
    this.#count(address);
    try {
      await admit();
    } catch (error) {
      if (error instanceof Unauthenticated) {
        request.log.warn({ id: request.id, address, key: keyIdIn(key) }, 'sign-in failed');
        throw error;
      }
      this.#takeBack(address);
      throw error;
    }
    this.#takeBack(address);
  }

  #count(network: string): void {
    const now = this.#elapsed();
    const latest = now + FREE * PER_FAILURE_MS;
    const forgivenAt = Math.max(this.#forgivenAt.get(network) ?? now, now);
    const wait = forgivenAt + PER_FAILURE_MS - latest;
    if (wait > 0) throw refusals.tooManySignIns(Math.ceil(wait / 1_000));
    this.#forgivenAt.delete(network);
    this.#forgivenAt.set(network, forgivenAt + PER_FAILURE_MS);
    const [oldest = ''] = this.#forgivenAt.keys();
    if (this.#forgivenAt.size > MAX_NETWORKS) this.#forgivenAt.delete(oldest);
  }

  #takeBack(network: string): void {
    const forgivenAt = this.#forgivenAt.get(network);
    if (forgivenAt !== undefined) this.#forgivenAt.set(network, forgivenAt - PER_FAILURE_MS);
  }
}
