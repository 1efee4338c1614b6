import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../store/directory/audit.js';
import { principalOf } from '../authenticate.js';

/** Who asks for a change, for the audit. */
export function actorOf(request: FastifyRequest, at: number): Actor {
  return { at, keyId: principalOf(request).keyId, requestId: request.id };
}
