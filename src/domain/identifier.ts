import { createRequire } from 'node:module';
import { domainToASCII } from 'node:url';
import type { JsonValue } from './json.js';
import { firstCharacters, isLongerThan, REPLACEMENT, storableText } from './text.js';

/** Loaded when it is first needed: it would make the start of each thread 35 ms longer, and few tenants use it. */
let publicSuffixes: typeof import('tldts') | undefined;

const MAX_NORMALISED_LENGTH = 2_000;

/** The form in which identifiers are compared and stored. */
export function canonicalIdentifier(text: string): string {
  // Normalising combining marks takes quadratic time. A text this long is rejected for its length anyway.
  if (text.length > MAX_NORMALISED_LENGTH) return text;
  const lower = text.trim().toLowerCase();
  // ASCII is already normalised.
  if (/^[\x20-\x7e]*$/.test(lower)) return lower;
  // Lower-casing can produce a sequence that composes (Ϊ + acute), so the text is normalised before and after.
  return text.trim().normalize('NFC').toLowerCase().normalize('NFC');
}

/** The text of a sent identifier. An integer counts as its decimal string; other values are not identifiers. */
export function identifierText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim();
  // The JSON parser has already rounded larger integers, so they could name another account.
  if (Number.isSafeInteger(value)) return String(value);
  return undefined;
}

const MAX_DOMAIN_LENGTH = 253;
const HOST_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

/** The ASCII form of a domain below a known public suffix; `undefined` if it is not a domain. */
export function canonicalDomain(identifier: string): string | undefined {
  if (identifier.length > MAX_DOMAIN_LENGTH) return undefined;
  // domainToASCII removes a path and decodes percent signs, so only host characters may reach it.
  if (/[^a-z0-9.\-\u0080-\u{10ffff}]/u.test(identifier)) return undefined;
  const ascii = domainToASCII(identifier);
  if (ascii.length > MAX_DOMAIN_LENGTH || !HOST_NAME.test(ascii)) return undefined;
  publicSuffixes ??= createRequire(import.meta.url)('tldts') as typeof import('tldts');
  const { hostname, domain, isIcann } = publicSuffixes.parse(ascii);
  return hostname === ascii && domain !== null && isIcann ? ascii : undefined;
}

const MAX_LENGTH = 191;
/** Longer than any spelling of a valid id; the rest of a huge text is not processed. */
const MAX_SPELLING_LENGTH = 4_000;

/**
 * The account id to store with a rejected record: as sent, with characters replaced that a database cannot store. It is
 * cut only if it is too long for any account, so that deleting the account also finds its rejections.
 */
export function rejectedId(sent: JsonValue): string | null {
  const text = (identifierText(sent) ?? '').slice(0, MAX_SPELLING_LENGTH);
  if (text === '') return null;
  const storable = storableText(text);
  if (!isLongerThan(storable, MAX_LENGTH)) return storable;
  // Replacement characters must not make the id too long.
  const bare = withoutReplacements(storable);
  const canBeAccount = accountIdsOf(bare).some((id) => !isLongerThan(id, MAX_LENGTH));
  return canBeAccount ? bare : firstCharacters(storable, MAX_LENGTH);
}

/**
 * The accounts that a stored rejected id can belong to, in the modes `any` and `domain`, because the mode can have
 * changed since. Replaced characters, such as a NUL, are ignored.
 */
export function accountIdsOf(rejectedId: string): readonly string[] {
  const forms = [rejectedId, withoutReplacements(rejectedId)].map(canonicalIdentifier);
  const domains = forms.flatMap((form) => canonicalDomain(form) ?? []);
  return [...new Set([...forms, ...domains])].filter((id) => id !== '');
}

function withoutReplacements(text: string): string {
  return text.replaceAll(REPLACEMENT, '').trim();
}
