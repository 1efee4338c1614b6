import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import type { JsonValue } from './json.js';
import { firstCharacters, isLongerThan, REPLACEMENT, storableText } from './text.js';

const MAX_NORMALISED_LENGTH = 2_000;

/** The form in which identifiers are compared and stored. */
export function canonicalIdentifier(text: string): string {
  // Normalising takes quadratic time over combining marks; what is this long is refused for its length as it is.
  if (text.length > MAX_NORMALISED_LENGTH) return text;
  const lower = text.trim().toLowerCase();
  // ASCII is in its normal form already.
  if (/^[\x20-\x7e]*$/.test(lower)) return lower;
  // Lower-casing can leave a sequence that composes (Ϊ + acute), so normalisation comes on both sides of it.
  return text.trim().normalize('NFC').toLowerCase().normalize('NFC');
}

/** The text of an identifier as sent; an integer is taken as its decimal string, anything else is no identifier. */
export function identifierText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim();
  // A larger integer has already lost digits in the JSON parser: it would name another account.
  if (Number.isSafeInteger(value)) return String(value);
  return undefined;
}

const MAX_DOMAIN_LENGTH = 253;
const HOST_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

/** The ASCII form of a host name that stands below a known public suffix; `undefined` where it is none. */
export function canonicalDomain(identifier: string): string | undefined {
  if (identifier.length > MAX_DOMAIN_LENGTH) return undefined;
  // domainToASCII cuts a path off and decodes percent signs, so nothing but host characters may reach it.
  if (/[^a-z0-9.\-\u0080-\u{10ffff}]/u.test(identifier)) return undefined;
  const ascii = domainToASCII(identifier);
  if (ascii.length > MAX_DOMAIN_LENGTH || !HOST_NAME.test(ascii)) return undefined;
  const { hostname, domain, isIcann } = parse(ascii);
  return hostname === ascii && domain !== null && isIcann ? ascii : undefined;
}

const MAX_LENGTH = 191;
/** More than any spelling of an account's id takes; the rest of a huge text costs nothing. */
const LOOKED_AT = 4_000;

/**
 * The account id of a record that was not stored, as it is kept: as it was sent, in a form that every database takes. It
 * is cut only where it is too long for any account, so that the deletion of its account finds it.
 */
export function rejectedId(sent: JsonValue): string | null {
  const text = (identifierText(sent) ?? '').slice(0, LOOKED_AT);
  if (text === '') return null;
  const storable = storableText(text);
  if (!isLongerThan(storable, MAX_LENGTH)) return storable;
  // Characters that stand for nothing must not be what takes the room.
  const bare = withoutReplacements(storable);
  const mayBeAccount = accountIdsOf(bare).some((id) => !isLongerThan(id, MAX_LENGTH));
  return mayBeAccount ? bare : firstCharacters(storable, MAX_LENGTH);
}

/**
 * The accounts that such an id may stand for, in the modes `any` and `domain`: the mode may have changed since. What was
 * replaced in it, a NUL for example, does not make it another account's.
 */
export function accountIdsOf(rejectedId: string): readonly string[] {
  const forms = [rejectedId, withoutReplacements(rejectedId)].map(canonicalIdentifier);
  const domains = forms.flatMap((form) => canonicalDomain(form) ?? []);
  return [...new Set([...forms, ...domains])].filter((id) => id !== '');
}

function withoutReplacements(text: string): string {
  return text.replaceAll(REPLACEMENT, '').trim();
}
