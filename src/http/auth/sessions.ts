import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashKey } from '../../domain/api-key.js';
import type { Session, Sessions } from '../../store/tenants/sessions.js';
import { BatchedLookups } from './batched-lookups.js';

export const SESSION_COOKIE = 'account_sync_session';
export const CONSOLE_HEADER = 'X-Account-Sync-Console';

const TOKEN_BYTES = 32;
/** Matches the first cookie of this name that has the form of a token: 32 bytes are 43 characters of base64url. */
const TOKEN = new RegExp(`(?:^|;) *${SESSION_COOKIE}=([\\w-]{43}) *(?:;|$)`);

/** A random session token; the server stores only its hash. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * Protection against cross-site request forgery: a cookie counts only together with the console's header. A page of
 * another origin can make a browser send the cookie, but a custom header needs a CORS preflight, which never allows it.
 */
export function sessionTokenOf({ headers }: FastifyRequest): string | undefined {
  if (headers[CONSOLE_HEADER.toLowerCase()] !== '1') return undefined;
  return TOKEN.exec(headers.cookie ?? '')?.[1];
}

/** Makes the browser keep the token for `seconds`; with 0 it deletes the cookie. */
export function setSessionCookie(reply: FastifyReply, token: string, seconds: number): void {
  const attributes = ['Path=/api/v2', 'HttpOnly', 'SameSite=Strict', `Max-Age=${seconds}`];
  // Browsers reject a `Secure` cookie over plain HTTP, which is used for local installations.
  if (reply.request.protocol === 'https') attributes.push('Secure');
  reply.header('set-cookie', [`${SESSION_COOKIE}=${token}`, ...attributes].join('; '));
}

/** A session that ends in any process ends here within one second: at most half of it in this cache. */
const FRESH_FOR_MS = 500;

/**
 * Caches sessions for half a second, so that a stream that checks its session after every change costs few queries.
 * Unlike keys, sessions are not cached by the directory's version: every sign-out would then drop all cached keys.
 */
export class SessionCache {
  readonly #lookups: BatchedLookups<Session>;
  /** Only sessions that exist: a client could fill the memory with invented tokens. */
  #known = new Map<string, Session>();
  #knownSince = Number.NEGATIVE_INFINITY;

  constructor(sessions: Sessions) {
    this.#lookups = new BatchedLookups((hashes) => sessions.findAll(hashes));
  }

  async find(token: string): Promise<Session | undefined> {
    if (performance.now() - this.#knownSince >= FRESH_FOR_MS) this.clear();
    // A lookup that finishes after the next `clear` is not cached: it may have read an older state.
    const known = this.#known;
    const hash = hashKey(token);
    const session = known.get(hash) ?? (await this.#lookups.find(hash));
    if (session !== undefined) known.set(hash, session);
    return session;
  }

  clear(): void {
    this.#known = new Map();
    this.#knownSince = performance.now();
  }
}
