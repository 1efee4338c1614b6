import type { Scope } from './api-key.js';
import { base62 } from './base62.js';

/** What a user may do in a tenant, from the least to the most. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ['read'],
  editor: ['read', 'sync'],
  admin: ['read', 'sync', 'admin'],
};

export function scopesOf(role: Role): readonly Scope[] {
  return SCOPES_OF[role];
}

/** What users store in the console belongs to this source of their tenant. */
export const CONSOLE_SOURCE = 'console';

export const USER_ID_PREFIX = 'usr_';

/** `random` returns that many cryptographically random bytes. */
export function newUserId(random: (bytes: number) => Uint8Array): string {
  return USER_ID_PREFIX + base62(random, 8);
}

/** Tells the id of a user from that of a key, which has no underscore. */
export function isUserId(id: string): boolean {
  return id.startsWith(USER_ID_PREFIX);
}

const MAX_EMAIL_LENGTH = 254;

/** The form in which e-mail addresses are stored and compared; undefined if the text is no address. */
export function canonicalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase().normalize('NFC');
  return email.length <= MAX_EMAIL_LENGTH && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email) ? email : undefined;
}

const MAX_USER_NAME_LENGTH = 200;

/** The name of a user as it is stored; undefined if it cannot be one. */
export function canonicalUserName(text: string): string | undefined {
  const name = text.trim().normalize('NFC');
  return name !== '' && name.length <= MAX_USER_NAME_LENGTH && !/\p{C}/u.test(name) ? name : undefined;
}
