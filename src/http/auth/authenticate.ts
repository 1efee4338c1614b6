import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../../domain/api-key.js';
import { ROLES, scopesOf } from '../../domain/user.js';
import { httpError } from '../errors.js';
import { type Access, requiredScopes } from './access.js';
import type { LastUses } from './last-uses.js';
import type { Principal, Principals } from './principals.js';
import type { RateLimit } from './rate-limit.js';
import { sessionTokenOf } from './sessions.js';

export interface AuthorizeParts {
  readonly lastUses: LastUses;
  readonly rateLimit: RateLimit | undefined;
  readonly clock: () => number;
}

export interface GuardOptions extends AuthorizeParts {
  readonly identify: Identify;
  readonly access: Access;
}

/** A guard: an `onRequest` hook that authenticates and authorizes a request before its body is read. */
export function authenticate({ identify, access, ...parts }: GuardOptions) {
  const needed = requiredScopes(access);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (access !== 'none') {
      const now = parts.clock();
      const found = identify(request, now);
      // No `await` for cached principals: the extra microtask would cost more than the lookup.
      const principal = found instanceof Promise ? await found : found;
      const authorized = authorize(parts, principal, now, request, reply);
      if (authorized instanceof Promise) await authorized;
      if (principal !== undefined) requireScopes(principal, needed);
    }
    // A client that sent `Expect: 100-continue` sends its body only after it is authorized.
    if (request.headers.expect !== undefined) reply.raw.writeContinue();
  };
}

/** Throws unless the key has the scopes, or the role of the user includes them. */
function requireScopes({ scopes, user }: Principal, needed: readonly Scope[]): void {
  for (const scope of needed) {
    if (scopes.includes(scope)) continue;
    throw user === undefined
      ? httpError('scope_missing', scope)
      : httpError('role_missing', ROLES.find((role) => scopesOf(role).includes(scope)) ?? 'admin', user.role);
  }
}

/** Sets the principal of a request and counts the request against its rate limit. */
export function authorize(
  { lastUses, rateLimit }: AuthorizeParts,
  principal: Principal | undefined,
  now: number,
  request: FastifyRequest,
  reply: FastifyReply,
): void | Promise<void> {
  if (principal === undefined) throw httpError('unauthenticated');
  request.principal = principal;
  lastUses.record(principal, now);
  return rateLimit?.authorize(principal.senderId, now, reply);
}

/** Identifies the sender of a long-running request again; undefined once its key or session does not suffice any more. */
export type Reauthorize = (request: FastifyRequest, access: Access) => Promise<Principal | undefined>;

export function reauthorize(identify: Identify, clock: () => number): Reauthorize {
  return async (request, access) => {
    const principal = await identify(request, clock());
    const needed = requiredScopes(access);
    return needed.every((scope) => principal?.scopes.includes(scope)) ? principal : undefined;
  };
}

/** For handlers of routes that have a guard. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error(`${request.url} has no guard.`);
  return request.principal;
}

type UserPrincipal = Principal & Required<Pick<Principal, 'user' | 'session'>>;

/** Throws for a key. */
export function requireUser(principal: Principal): UserPrincipal {
  const { user, session } = principal;
  if (user === undefined || session === undefined) throw httpError('no_user');
  return { ...principal, user, session };
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
