import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../../domain/api-key.js';
import { httpError } from '../errors.js';
import type { KeyUses } from './key-uses.js';
import type { Principal, Principals } from './principals.js';
import type { RateLimit } from './rate-limit.js';
import { sessionTokenOf } from './sessions.js';

/** Whom an operation lets in: keys with a scope, all keys, or everybody. */
export type Access = Scope | 'any' | 'none';

interface AuthorizeParts {
  readonly keyUses: KeyUses;
  readonly rateLimit: RateLimit | undefined;
  readonly clock: () => number;
}

export interface GuardOptions extends AuthorizeParts {
  readonly identify: Identify;
  readonly access: Access;
}

export function authenticate({ identify, access, ...parts }: GuardOptions) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (access !== 'none') {
      const now = parts.clock();
      const found = identify(request, now);
      // Most are known already, and a turn for each would cost more than the look-up.
      const principal = found instanceof Promise ? await found : found;
      const admission = authorize(parts, principal, now, request, reply);
      if (admission instanceof Promise) await admission;
      if (access !== 'any' && !principal?.scopes.includes(access)) throw httpError('scope_missing', access);
    }
    // A caller that asks before it sends its body is told to go on only now.
    if (request.headers.expect !== undefined) reply.raw.writeContinue();
  };
}

/** For a key that is sent otherwise than in the header. */
export function authorizeKey({ principals, ...parts }: AuthorizeParts & { readonly principals: Principals }) {
  return async (key: string, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const now = parts.clock();
    const principal = await principals.find(key, request.hostname, now);
    await authorize(parts, principal, now, request, reply);
  };
}

/** Lets a request in as that of a principal, and counts it. */
function authorize(
  { keyUses, rateLimit }: AuthorizeParts,
  principal: Principal | undefined,
  now: number,
  request: FastifyRequest,
  reply: FastifyReply,
): void | Promise<void> {
  if (principal === undefined) throw httpError('unauthenticated');
  request.principal = principal;
  keyUses.note(principal.keyId, now);
  return rateLimit?.authorize(principal.keyId, now, reply);
}

/** Who sends a request that was let in, as it is now; undefined where it would not be let in any more. */
export function reauthorize(
  identify: Identify,
  clock: () => number,
  scope: Scope,
): (request: FastifyRequest) => Promise<Principal | undefined> {
  return async (request) => {
    const principal = await identify(request, clock());
    return principal?.scopes.includes(scope) ? principal : undefined;
  };
}

/** For handlers behind `authenticate`. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error(`${request.url} is not behind authenticate.`);
  return request.principal;
}

/** Who sends a request; undefined where nobody does who is let in. */
export type Identify = (
  request: FastifyRequest,
  now: number,
) => Principal | undefined | Promise<Principal | undefined>;

/** All that the contract takes. */
export function byKey(principals: Principals): Identify {
  return ({ headers, hostname }, now) => {
    const key = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    return key === undefined ? undefined : principals.find(key, hostname, now);
  };
}

/** A session counts only where nothing is said of a key. */
export function byKeyOrSession(principals: Principals): Identify {
  const identifyByKey = byKey(principals);
  return (request, now) => {
    if (request.headers.authorization !== undefined) return identifyByKey(request, now);
    const token = sessionTokenOf(request);
    return token === undefined ? undefined : principals.findBySession(token, request.hostname, now);
  };
}
