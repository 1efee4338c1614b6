import type { FastifyRequest } from 'fastify';
import type { Principal, Principals } from './principals.js';
import { sessionTokenOf } from './session-cookie.js';

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
