import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../../domain/api-key.js';
import { httpError } from '../errors.js';
import type { KeyUses } from './key-uses.js';
import type { Principal, Principals } from './principals.js';
import type { RateLimit } from './rate-limit.js';
import { sessionTokenOf } from './sessions.js';

/** Required access of an operation: a scope, `any` key, or `none`, which needs no key. */
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

/** A guard: an `onRequest` hook that authenticates and authorizes a request before its body is read. */
export function authenticate({ identify, access, ...parts }: GuardOptions) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (access !== 'none') {
      const now = parts.clock();
      const found = identify(request, now);
      // No `await` for cached principals: the extra microtask would cost more than the lookup.
      const principal = found instanceof Promise ? await found : found;
      const authorized = authorize(parts, principal, now, request, reply);
      if (authorized instanceof Promise) await authorized;
      if (access !== 'any' && !principal?.scopes.includes(access)) throw httpError('scope_missing', access);
    }
    // A client that sent `Expect: 100-continue` sends its body only after it is authorized.
    if (request.headers.expect !== undefined) reply.raw.writeContinue();
  };
}

/** Authorizes a key that was sent in the body instead of the header. */
export function authorizeKey({ principals, ...parts }: AuthorizeParts & { readonly principals: Principals }) {
  return async (key: string, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const now = parts.clock();
    const principal = await principals.find(key, request.hostname, now);
    await authorize(parts, principal, now, request, reply);
  };
}

/** Sets the principal of a request and counts the request against its rate limit. */
function authorize(
  { keyUses, rateLimit }: AuthorizeParts,
  principal: Principal | undefined,
  now: number,
  request: FastifyRequest,
  reply: FastifyReply,
): void | Promise<void> {
  if (principal === undefined) throw httpError('unauthenticated');
  request.principal = principal;
  keyUses.record(principal.keyId, now);
  return rateLimit?.authorize(principal.keyId, now, reply);
}

/** Identifies the sender of a long-running request again; undefined once its key or session is no longer valid. */
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

/** For handlers of routes that have a guard. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error(`${request.url} has no guard.`);
  return request.principal;
}

/** Finds the principal of a request; undefined if it has no valid credentials. */
export type Identify = (
  request: FastifyRequest,
  now: number,
) => Principal | undefined | Promise<Principal | undefined>;

/** The contract accepts keys only. */
export function byKey(principals: Principals): Identify {
  return ({ headers, hostname }, now) => {
    const key = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    return key === undefined ? undefined : principals.find(key, hostname, now);
  };
}

/** A session is used only if the request has no `Authorization` header. */
export function byKeyOrSession(principals: Principals): Identify {
  const identifyByKey = byKey(principals);
  return (request, now) => {
    if (request.headers.authorization !== undefined) return identifyByKey(request, now);
    const token = sessionTokenOf(request);
    return token === undefined ? undefined : principals.findBySession(token, request.hostname, now);
  };
}
