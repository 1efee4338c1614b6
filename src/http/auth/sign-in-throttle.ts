import { isIP, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { HttpError, httpError } from '../errors.js';
import { FailureLimit } from './failure-limit.js';
import { OidcProblem } from './oidc-problem.js';

/** Failures that are allowed without waiting. */
const NETWORK_BURST = 10;
const USER_BURST = 20;
const MAX_NETWORKS = 10_000;
const MAX_USERS = 10_000;

/** The credentials of an attempt, without the secret itself. */
interface Attempt {
  /** For the log. */
  readonly keyId?: string | undefined;
  /** Attempts for one e-mail address are limited, too, from wherever they come. */
  readonly email?: string;
}

/**
 * Slows down guessing at sign-in. Failures are limited per client network, and those of a password per e-mail address,
 * too, since a password can be guessed from many networks.
 *
 * Invariants: an attempt counts as failed before it is checked, so concurrent attempts cannot bypass the limit; a
 * successful sign-in removes only its own count, so a valid credential does not allow more guesses; a valid
 * one waits at most one minute because of other clients in the same network.
 */
export class SignInThrottle {
  readonly #networks: FailureLimit;
  readonly #users: FailureLimit;

  /** `elapsed` returns monotonic milliseconds, unaffected by changes of the system clock. */
  constructor(elapsed: () => number) {
    this.#networks = new FailureLimit({ elapsed, burst: NETWORK_BURST, maxKeys: MAX_NETWORKS });
    this.#users = new FailureLimit({ elapsed, burst: USER_BURST, maxKeys: MAX_USERS });
  }

  /** Runs `authorize` unless there were too many failures; counts the attempt unless it succeeds. */
  async attempt<T>(
    request: FastifyRequest,
    { keyId, email }: Attempt,
    authorize: () => Promise<T>,
  ): Promise<T> {
    const network = clientNetwork(request);
    const uncount = this.#count(network, email);
    try {
      const result = await authorize();
      uncount();
      return result;
    } catch (error) {
      const isKnown = error instanceof HttpError || error instanceof OidcProblem;
      const isGuess = isKnown && FAILED_SIGN_INS.has(error.code);
      if (!isGuess) uncount();
      if (isGuess || error instanceof OidcProblem) {
        const reason = error instanceof OidcProblem ? error.reason : undefined;
        const failure = { id: request.id, address: network, key: keyId, problem: error.code, reason };
        request.log.warn(failure, 'sign-in failed');
      }
      throw error;
    }
  }

  #count(network: string, email: string | undefined): () => void {
    const wait = this.#networks.count(network);
    if (wait > 0) throw httpError('sign_in_throttled', wait);
    const userWait = email === undefined ? 0 : this.#users.count(email);
    if (userWait > 0) {
      // Nothing was guessed, so others in the network do not have to wait.
      this.#networks.uncount(network);
      throw httpError('user_throttled', userWait);
    }
    return () => {
      this.#networks.uncount(network);
      if (email !== undefined) this.#users.uncount(email);
    };
  }
}

/** Errors that mean a wrong guess. */
const FAILED_SIGN_INS: ReadonlySet<string> = new Set([
  'unauthenticated',
  'sign_in_failed',
  'link_not_found',
  'oidc_refused',
  'oidc_token_invalid',
]);

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
