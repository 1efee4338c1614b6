import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { hashKey } from '../../domain/api-key.js';
import { base62 } from '../../domain/base62.js';
import type { Session } from '../../store/tenants/sessions.js';
import { newToken } from './sessions.js';

const MAX_USER_AGENT_LENGTH = 200;

export interface NewSession {
  readonly session: Session;
  /** The secret of the cookie, which is not stored. */
  readonly token: string;
}

/** A session of a key or user in the browser that sends the request. */
export function newSession(
  request: FastifyRequest,
  {
    senderId,
    tenantId,
    createdAt,
    expiresAt,
  }: Pick<Session, 'senderId' | 'tenantId' | 'createdAt' | 'expiresAt'>,
): NewSession {
  const token = newToken();
  const id = base62(randomBytes, 8);
  const userAgent = request.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? null;
  const session = {
    hash: hashKey(token),
    id,
    tenantId,
    senderId,
    createdAt,
    expiresAt,
    lastUsedAt: null,
    userAgent,
  };
  return { session, token };
}
