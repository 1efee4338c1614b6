import { rejectedId } from './identifier.js';
import { isJsonObject, type JsonValue } from './json.js';
import { redact } from './redact.js';
import { firstCharacters, storableText } from './text.js';
import type { AttributeErrors } from './validate-account.js';

const MAX_RECORD_LENGTH = 4_096;
const MAX_MESSAGES = 20;
export const MAX_MESSAGE_LENGTH = 500;

/** A rejected record as it is kept for people to look at: bounded, storable and without secrets. */
export interface RejectedRecord {
  /** Position of the record in its batch or import. */
  readonly place: number | null;
  readonly accountId: string | null;
  readonly errors: Readonly<Record<string, readonly string[]>> | null;
  readonly record: JsonValue;
}

export function describeRejected(
  place: number | null,
  errors: AttributeErrors | null,
  record: JsonValue,
): RejectedRecord {
  return {
    place,
    accountId: isJsonObject(record) ? rejectedId(record.account_id ?? null) : null,
    errors: errors === null ? null : clipErrors(errors),
    record: clipRecord(record),
  };
}

/** Removes characters that no database accepts: a record that was rejected for them must still be recorded. */
function clipErrors(errors: AttributeErrors): Record<string, readonly string[]> {
  const clipped = [...errors]
    .slice(0, MAX_MESSAGES)
    .map(([name, messages]): [string, string[]] => [
      storableText(firstCharacters(name, MAX_MESSAGE_LENGTH)),
      messages.map((message) => storableText(firstCharacters(message, MAX_MESSAGE_LENGTH))),
    ]);
  return Object.fromEntries(clipped);
}

function clipRecord(record: JsonValue): JsonValue {
  const redacted = redact(record);
  const text = JSON.stringify(redacted);
  if (text.length <= MAX_RECORD_LENGTH) return redacted;
  return { truncated: storableText(firstCharacters(text, MAX_RECORD_LENGTH)) };
}
