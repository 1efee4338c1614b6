import { isIP, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { keyIdIn } from '../../domain/api-key.js';
import { HttpError, httpError } from '../errors.js';

/** Failures that are allowed without waiting. */
const BURST = 10;
/** After the burst, one failure is allowed per minute. */
const PER_FAILURE_MS = 60_000;
/** Bounds the memory: the networks whose last failure is oldest are dropped first. */
const MAX_NETWORKS = 10_000;

/**
 * Slows down guessing of keys at sign-in: a leaky bucket of failures per client network, ten at a time and then one per
 * minute. One timestamp per network is the whole state (GCRA): the time at which its bucket is empty again.
 *
 * Invariants: an attempt counts as failed before it is checked, so concurrent attempts cannot bypass the limit; a
 * successful sign-in removes only its own count, so a valid key does not allow more guesses; a valid key waits at most
 * one minute because of other clients in the same network.
 */
export class SignInThrottle {
  readonly #elapsed: () => number;
  /** When the bucket of each network is empty again; the network that failed last is at the end. */
  readonly #emptyAt = new Map<string, number>();

  /** `elapsed` returns monotonic milliseconds, unaffected by changes of the system clock. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Runs `authorize` unless the client's network has too many failures; counts the attempt unless it succeeds. */
  async attempt(request: FastifyRequest, key: string, authorize: () => Promise<void>): Promise<void> {
    const network = clientNetwork(request);
    this.#count(network);
    try {
      await authorize();
    } catch (error) {
      if (error instanceof HttpError && error.code === 'unauthenticated') {
        request.log.warn({ id: request.id, address: network, key: keyIdIn(key) }, 'sign-in failed');
        throw error;
      }
      this.#uncount(network);
      throw error;
    }
    this.#uncount(network);
  }

  #count(network: string): void {
    const now = this.#elapsed();
    const latest = now + BURST * PER_FAILURE_MS;
    const emptyAt = Math.max(this.#emptyAt.get(network) ?? now, now);
    const wait = emptyAt + PER_FAILURE_MS - latest;
    if (wait > 0) throw httpError('sign_in_throttled', Math.ceil(wait / 1_000));
    this.#emptyAt.delete(network);
    this.#emptyAt.set(network, emptyAt + PER_FAILURE_MS);
    const [oldest = ''] = this.#emptyAt.keys();
    if (this.#emptyAt.size > MAX_NETWORKS) this.#emptyAt.delete(oldest);
  }

  #uncount(network: string): void {
    const emptyAt = this.#emptyAt.get(network);
    if (emptyAt !== undefined) this.#emptyAt.set(network, emptyAt - PER_FAILURE_MS);
  }
}

/** Some proxies add a port to the address. */
const WITH_PORT = /^(?:\[(.*)\]|([\d.]+))(?::\d+)?$/;

/** The IPv4 address, or the /64 network of an IPv6 address, since providers assign a whole /64 to one customer. */
export function clientNetwork({ ip, socket }: FastifyRequest): string {
  // With a trusted proxy `ip` comes from a header, which may hold any text; it is undefined after a disconnect.
  const named = (ip ?? '').replace(WITH_PORT, '$1$2');
  const [address = ''] = (isIP(named) === 0 ? (socket.remoteAddress ?? '') : named).split('%');
  const mapped = /^::ffff:(.+)$/i.exec(address)?.[1] ?? '';
  if (isIPv4(mapped)) return mapped;
  return isIP(address) === 6 ? `${firstGroups(address)}::/64` : address;
}

function firstGroups(address: string): string {
  // The URL parser normalizes an IPv6 address: no leading zeros, no dotted part, one `::`.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = Array(8 - groups.length - last.length).fill('0');
  return [...groups, ...zeros, ...last].slice(0, 4).join(':');
}
