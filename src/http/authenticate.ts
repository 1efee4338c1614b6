import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../domain/api-key.js';
import type { KeyUses } from './key-uses.js';
import type { Principal, Principals } from './principals.js';
import type { RateLimit } from './rate-limit.js';
import { refusals, Unauthenticated } from './refusal.js';

export interface AuthenticateOptions {
  readonly principals: Principals;
  readonly keyUses: KeyUses;
  readonly clock: () => number;
  readonly rateLimit: RateLimit | undefined;
  readonly scope: Scope;
  /** Lets a key in that was live when the database last answered. */
  readonly inOutages?: boolean;
}

export function authenticate(options: AuthenticateOptions) {
  const { principals, keyUses, clock, rateLimit, scope, inOutages = false } = options;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const key = keyOf(request);
    const now = clock();
    const found = key === undefined ? undefined : principals.find(key, request.hostname, now);
    // Most are known already, and a turn for each would cost more than the look-up.
    const principal =
      found instanceof Promise
        ? await found.catch((error) => {
            const known = inOutages ? principals.lastKnown(key ?? '', request.hostname, now) : undefined;
            if (known === undefined) throw error;
            return known;
          })
        : found;
    if (principal === undefined) throw new Unauthenticated();
    request.principal = principal;
    keyUses.note(principal.keyId, now);
    const admission = rateLimit?.admit(principal.keyId, now, reply);
    if (admission instanceof Promise) await admission;
    if (!principal.scopes.includes(scope)) throw refusals.noScope(scope);
    // A caller that asks before it sends its body is told to go on only now.
    if (request.headers.expect !== undefined) reply.raw.writeContinue();
  };
}

/** Who sends a request that was let in, as it is now; undefined where it would not be let in any more. */
export function readmit({
  principals,
  clock,
  scope,
}: Pick<AuthenticateOptions, 'principals' | 'clock' | 'scope'>): (
  request: FastifyRequest,
) => Promise<Principal | undefined> {
  return async (request) => {
    const principal = await principals.find(keyOf(request) ?? '', request.hostname, clock());
    return principal?.scopes.includes(scope) ? principal : undefined;
  };
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  return /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** For handlers behind `authenticate`. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error(`${request.url} is not behind authenticate.`);
  return request.principal;
}
