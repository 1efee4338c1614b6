import { isIP, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { keyIdIn } from '../../domain/api-key.js';
import { HttpError, httpError } from '../errors.js';

const FREE = 10;
/** After the free ones, one each. */
const PER_FAILURE_MS = 60_000;
/** Of those that failed last: whoever has more addresses than this is not held up by any. */
const MAX_NETWORKS = 10_000;

/**
 * Failed sign-ins by address: ten at once, then one a minute. A good key takes none of them back, or whoever has one
 * could try as many as they like; nor does it wait longer than a minute for what others did at the same address.
 */
export class SignInThrottle {
  readonly #elapsed: () => number;
  /** When the last failure of each is forgiven: the one number says how many count. Those that failed last are at the end. */
  readonly #forgivenAt = new Map<string, number>();

  /** Milliseconds that only pass, unlike those of a clock. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Counts a try as failed until it has succeeded: many at once are no way around. */
  async watch(request: FastifyRequest, key: string, authorize: () => Promise<void>): Promise<void> {
    const address = clientNetwork(request);
    this.#count(address);
    try {
      await authorize();
    } catch (error) {
      if (error instanceof HttpError && error.code === 'unauthenticated') {
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
    if (wait > 0) throw httpError('sign_in_throttled', Math.ceil(wait / 1_000));
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

/** As some proxies write an address. */
const WITH_PORT = /^(?:\[(.*)\]|([\d.]+))(?::\d+)?$/;

/** An address of IPv4; of IPv6 the network of 64 bits around it, all of which one customer of a provider has. */
export function clientNetwork({ ip, socket }: FastifyRequest): string {
  // Behind a proxy that is trusted, a header says it, and may say anything.
  // Nothing, where the caller has gone already.
  const named = (ip ?? '').replace(WITH_PORT, '$1$2');
  const [address = ''] = (isIP(named) === 0 ? (socket.remoteAddress ?? '') : named).split('%');
  const mapped = /^::ffff:(.+)$/i.exec(address)?.[1] ?? '';
  if (isIPv4(mapped)) return mapped;
  return isIP(address) === 6 ? `${firstGroups(address)}::/64` : address;
}

function firstGroups(address: string): string {
  // A URL has one way to write an address: without zeros in front, without dots, and shortened at one place.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail ? tail.split(':') : [];
  const zeros = Array(8 - groups.length - behind.length).fill('0');
  return [...groups, ...zeros, ...behind].slice(0, 4).join(':');
}
