import { isJsonObject, type JsonObject, type JsonValue } from './json.js';

const REDACTED = '[redacted]';

/** Names of fields that hold what nobody should find in a log. */
const SECRET =
  /passw|passphrase|secret|token|api[-_ ]?key|authori[sz]ation|credential|private[-_ ]?key|cookie|iban|card[-_ ]?n/i;

/** The value without secrets, to show to somebody who looks for a mistake. */
export function redact(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(redact);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, SECRET.test(name) ? REDACTED : redact(inner)]),
  );
}
