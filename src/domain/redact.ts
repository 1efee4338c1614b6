import { holdsKey } from './api-key.js';
import { isJsonObject, type JsonObject, type JsonValue } from './json.js';
import { holdsLinkToken } from './one-time-link.js';

const REDACTED = '[redacted]';

/** Matches names of secret fields, with words joined or separated; the name has `_` around every word. */
const SECRET = new RegExp(
  [
    'passw|passphrase|pwd|secret|token|credential|authori[sz]ation|bearer|cookie',
    '(api|access|private)_?key',
    // Only at the end: a key account is a customer.
    '_key_$',
    '_session_?ids?_|sessid',
    'iban|credit_?card|card_?n|cvv|cvc',
    // Only whole words, because "shipping" and "business name" contain them.
    '_(pin|ssn)_|social_?security',
  ].join('|'),
);

/** Replaces secrets in a rejected value, so that it can be stored and shown. */
export function redact(value: JsonValue): JsonValue {
  if (typeof value === 'string') return isSecret(value) ? REDACTED : value;
  if (Array.isArray(value)) return value.map(redact);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, SECRET.test(wordsOf(name)) ? REDACTED : redact(inner)]),
  );
}

function isSecret(text: string): boolean {
  return /^\s*bearer\s/i.test(text) || holdsSecret(text);
}

/** Whether a text contains a key, or the token of a link. */
export function holdsSecret(text: string): boolean {
  return holdsKey(text) || holdsLinkToken(text);
}

/** Converts `APIKey-2` to `_api_key_`. */
function wordsOf(name: string): string {
  const separated = name.replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, '_');
  return `_${separated.toLowerCase()}_`.replace(/[^\p{L}]+/gu, '_');
}
