import { holdsKey } from './api-key.js';
import { isJsonObject, type JsonObject, type JsonValue } from './json.js';

const REDACTED = '[redacted]';

/** What names of fields with secrets hold, words run together or apart; `_` stands around every word. */
const SECRET = new RegExp(
  [
    'passw|passphrase|pwd|secret|token|credential|authori[sz]ation|bearer|cookie',
    '(api|access|private)_?key',
    // At the end alone: a key account is a customer.
    '_key_$',
    '_session_?ids?_|sessid',
    'iban|credit_?card|card_?n|cvv|cvc',
    // Whole words, since they are in "shipping" and in "business name".
    '_(pin|ssn)_|social_?security',
  ].join('|'),
);

/** The value without secrets, to show to somebody who looks for a mistake. */
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
  return /^\s*bearer\s/i.test(text) || holdsKey(text);
}

/** `APIKey-2` as `_api_key_`. */
function wordsOf(name: string): string {
  const apart = name.replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, '_');
  return `_${apart.toLowerCase()}_`.replace(/[^\p{L}]+/gu, '_');
}
