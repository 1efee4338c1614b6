import type { FastifyReply, FastifyRequest } from 'fastify';

/** What a browser keeps while its user is at the OpenID provider. */
export interface PendingSignIn {
  /** Ties the answer of the provider to this browser. */
  readonly state: string;
  /** Ties the ID token to this sign-in. */
  readonly nonce: string;
  /** Proves to the provider that the code is redeemed by the service that asked for it (PKCE). */
  readonly codeVerifier: string;
  readonly startedAt: number;
  readonly returnTo: string;
}

const COOKIE = 'account_sync_oidc';
const PATH = '/api/v2/session/oidc';
export const PENDING_SECONDS = 600;

/** Three random values of the library, 43 characters of base64url each; the time; the path in base64url. */
const VALUE = new RegExp(
  `(?:^|;) *${COOKIE}=([\\w-]{43})\\.([\\w-]{43})\\.([\\w-]{43})\\.(\\d{1,15})\\.([\\w-]+) *(?:;|$)`,
);

/** Undefined if the browser has not begun a sign-in, or sends anything else. */
export function pendingSignIn({ headers }: FastifyRequest): PendingSignIn | undefined {
  const [, state, nonce, codeVerifier, startedAt, returnTo] = VALUE.exec(headers.cookie ?? '') ?? [];
  if (state === undefined || nonce === undefined || codeVerifier === undefined) return undefined;
  const path = Buffer.from(returnTo ?? '', 'base64url').toString();
  return { state, nonce, codeVerifier, startedAt: Number(startedAt), returnTo: path };
}

export function keepPendingSignIn(reply: FastifyReply, pending: PendingSignIn): void {
  const { state, nonce, codeVerifier, startedAt, returnTo } = pending;
  const value = [state, nonce, codeVerifier, startedAt, Buffer.from(returnTo).toString('base64url')];
  setCookie(reply, value.join('.'), PENDING_SECONDS);
}

export function forgetPendingSignIn(reply: FastifyReply): void {
  setCookie(reply, '', 0);
}

/** `Lax`, because the provider leads the browser back here: a `Strict` cookie would not come along. */
function setCookie(reply: FastifyReply, value: string, seconds: number): void {
  const attributes = [`Path=${PATH}`, 'HttpOnly', 'SameSite=Lax', `Max-Age=${seconds}`];
  if (reply.request.protocol === 'https') attributes.push('Secure');
  reply.header('set-cookie', [`${COOKIE}=${value}`, ...attributes].join('; '));
}
