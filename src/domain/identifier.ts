import { domainToASCII } from 'node:url';
import { parse } from 'tldts';

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
