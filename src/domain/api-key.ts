import { hash } from 'node:crypto';

export const SCOPES = ['sync', 'read', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 8;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(
  `^acs_([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);
/** Without the checksum, which follows from the rest. */
const SECRET_PART = new RegExp(`acs_[0-9A-Za-z]{${ID_LENGTH}}_[0-9A-Za-z]{${SECRET_LENGTH}}`);
const MIN_OWN_KEY_LENGTH = 32;

export interface ApiKey {
  /** Names the key in logs and lists; no secret. */
  readonly id: string;
  readonly key: string;
}

/** `random` gives that many unpredictable bytes. */
export function generateKey(random: (bytes: number) => Uint8Array): ApiKey {
  const id = base62(random, ID_LENGTH);
  const secret = base62(random, SECRET_LENGTH);
  return { id, key: `acs_${id}_${secret}${checksum(id, secret)}` };
}

/** A key the operator brings: taken as it is where it is strong enough, with an id of its own. */
export function adoptKey(key: string, random: (bytes: number) => Uint8Array): ApiKey {
  return { id: keyIdIn(key) ?? base62(random, ID_LENGTH), key };
}

/** Why a key that the operator brings cannot be used, or `undefined`. */
export function keyWeakness(key: string): string | undefined {
  if (key.length < MIN_OWN_KEY_LENGTH) return `must have at least ${MIN_OWN_KEY_LENGTH} characters`;
  if (!/^[\x21-\x7e]+$/.test(key)) return 'must be printable ASCII without white space';
  if (isMistyped(key)) return 'looks like a key of this service, but its checksum is wrong';
  return undefined;
}

/** A key in our form with a wrong checksum was never issued, so no database need be asked. */
export function isMistyped(key: string): boolean {
  const match = FORM.exec(key);
  return match !== null && checksum(match[1] ?? '', match[2] ?? '') !== match[3];
}

/** The part of a key in our form that is no secret. */
export function keyIdIn(key: string): string | undefined {
  return FORM.exec(key)?.[1];
}

/** Whether a key in our form stands anywhere in a text. */
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

/** What is stored of a key, or of the token of a session, and what it is found by. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

function checksum(id: string, secret: string): string {
  const digest = hash('sha256', `${id}_${secret}`, 'hex');
  let rest = Number.parseInt(digest.slice(0, 12), 16);
  let text = '';
  while (text.length < CHECKSUM_LENGTH) {
    text += ALPHABET[rest % ALPHABET.length];
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

function base62(random: (bytes: number) => Uint8Array, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      // Bytes past the last whole multiple of 62 would make some letters likelier than others.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}
