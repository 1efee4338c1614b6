import { hashKey } from './api-key.js';

const DAY_MS = 86_400_000;

/** How long a link can be used, by its kind. */
export const LINK_VALIDITY_MS = { invitation: 7 * DAY_MS, password: DAY_MS } as const;

const PREFIX = 'lnk_';
const SECRET_BYTES = 32;
/** 32 bytes are 43 characters of base64url; the last one holds 4 bits, so it is one of 16. */
const FORM = /^lnk_[\w-]{42}[AEIMQUYcgkosw048]$/;

export interface LinkToken {
  readonly token: string;
  /** Stored instead of the token, and used to look it up. */
  readonly hash: string;
}

/** `random` returns that many cryptographically random bytes. */
export function newLinkToken(random: (bytes: number) => Uint8Array): LinkToken {
  const token = PREFIX + Buffer.from(random(SECRET_BYTES)).toString('base64url');
  return { token, hash: hashKey(token) };
}

/** Anything else was never issued, so it needs no database lookup. */
export function isLinkToken(text: string): boolean {
  return FORM.test(text);
}

/** Whether a text contains a token of a link. */
export function holdsLinkToken(text: string): boolean {
  return /lnk_[\w-]{43}/.test(text);
}

/** The token is in the fragment, which browsers send to no server, so that no log has it. */
export function linkUrl(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/$/, '')}/console/welcome#${token}`;
}
