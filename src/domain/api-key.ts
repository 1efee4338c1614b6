import { hash } from 'node:crypto';
import { base62, base62Digits } from './base62.js';

export const SCOPES = ['sync', 'read', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

const ID_LENGTH = 8;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/* `acs_<id>_<secret><checksum>`: the id is public, and the checksum detects typing errors without a database lookup. */
const FORM = new RegExp(
  `^acs_([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);
/** Without the checksum, which can be computed from the rest. */
const SECRET_PART = new RegExp(`acs_[0-9A-Za-z]{${ID_LENGTH}}_[0-9A-Za-z]{${SECRET_LENGTH}}`);
const MIN_OWN_KEY_LENGTH = 32;

export interface ApiKey {
  /** Identifies the key in logs and lists; not secret. */
  readonly id: string;
  readonly key: string;
}

/** `random` returns that many cryptographically random bytes. */
export function generateKey(random: (bytes: number) => Uint8Array): ApiKey {
  const id = base62(random, ID_LENGTH);
  const secret = base62(random, SECRET_LENGTH);
  return { id, key: `acs_${id}_${secret}${checksum(id, secret)}` };
}

/** Adopts a key that the operator provides: it stays unchanged and gets an id if it does not contain one. */
export function adoptKey(key: string, random: (bytes: number) => Uint8Array): ApiKey {
  return { id: keyIdIn(key) ?? base62(random, ID_LENGTH), key };
}

/** Why a key that the operator provides cannot be used, or `undefined`. */
export function keyWeakness(key: string): string | undefined {
  if (key.length < MIN_OWN_KEY_LENGTH) return `must have at least ${MIN_OWN_KEY_LENGTH} characters`;
  if (!/^[\x21-\x7e]+$/.test(key)) return 'must be printable ASCII without white space';
  if (isMistyped(key)) return 'looks like a key of this service, but its checksum is wrong';
  return undefined;
}

/** A key of this service's form with a wrong checksum was never issued, so it needs no database lookup. */
export function isMistyped(key: string): boolean {
  const match = FORM.exec(key);
  return match !== null && checksum(match[1] ?? '', match[2] ?? '') !== match[3];
}

/** The public id in a key of this service's form. */
export function keyIdIn(key: string): string | undefined {
  return FORM.exec(key)?.[1];
}

/** Whether a text contains a key of this service's form. */
export function holdsKey(text: string): boolean {
  return SECRET_PART.test(text);
}

export type KeyState = 'live' | 'expired' | 'revoked';

export interface KeyLife {
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
}

export function keyState({ revokedAt, expiresAt }: KeyLife, now: number): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'live';
}

/** The hash that is stored instead of an API key or session token, and used to look it up. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

function checksum(id: string, secret: string): string {
  const digest = hash('sha256', `${id}_${secret}`, 'hex');
  return base62Digits(Number.parseInt(digest.slice(0, 12), 16), CHECKSUM_LENGTH);
}
