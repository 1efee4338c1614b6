import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashKey } from '../../domain/api-key.js';
import type { Session, Sessions } from '../../store/tenants/sessions.js';
import { BatchedLookups } from './batched-lookups.js';

export const SESSION_COOKIE = 'account_sync_session';
export const CONSOLE_HEADER = 'X-Account-Sync-Console';

const TOKEN_BYTES = 32;
/** Of several cookies of the name, the first that can be one of ours. */
const TOKEN = new RegExp(`(?:^|;) *${SESSION_COOKIE}=([\\w-]{43}) *(?:;|$)`);

/** Cannot be guessed, and is kept by the browser alone. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * A page of another origin can have a browser send the cookie along. The header it cannot have sent without a
 * preflight, which never allows it. So a request with both is the console's own, and without the header a cookie says
 * nothing, whatever the method.
 */
export function sessionTokenOf({ headers }: FastifyRequest): string | undefined {
  if (headers[CONSOLE_HEADER.toLowerCase()] !== '1') return undefined;
  return TOKEN.exec(headers.cookie ?? '')?.[1];
}

/** For the browser to keep for so many seconds; for none, to drop it. */
export function setSessionCookie(reply: FastifyReply, token: string, seconds: number): void {
  const attributes = ['Path=/api/v2', 'HttpOnly', 'SameSite=Strict', `Max-Age=${seconds}`];
  // Over plain HTTP, as on one's own machine, a browser would not take it with this.
  if (reply.request.protocol === 'https') attributes.push('Secure');
  reply.header('set-cookie', [`${SESSION_COOKIE}=${token}`, ...attributes].join('; '));
}

/** A session that has ended anywhere ends here within a second: half of it passes here at most. */
const FRESH_FOR_MS = 500;

/**
 * Sessions as they were a moment ago, so that a stream that asks after every change costs few looks at the database.
 * Not by the version of the directory, like keys: then everybody who signs out would have all keys loaded anew.
 */
export class SessionCache {
  readonly #lookups: BatchedLookups<Session>;
  /** Only those that exist, so that nobody can fill it. */
  #known = new Map<string, Session>();
  #knownSince = Number.NEGATIVE_INFINITY;

  constructor(sessions: Sessions) {
    this.#lookups = new BatchedLookups((hashes) => sessions.findAll(hashes));
  }

  async find(token: string): Promise<Session | undefined> {
    if (performance.now() - this.#knownSince >= FRESH_FOR_MS) this.forget();
    // What is found after the next `forget` is not kept: the look may have come too early.
    const known = this.#known;
    const hash = hashKey(token);
    const session = known.get(hash) ?? (await this.#lookups.find(hash));
    if (session !== undefined) known.set(hash, session);
    return session;
  }

  forget(): void {
    this.#known = new Map();
    this.#knownSince = performance.now();
  }
}
