import { isObject, type Json, type JsonObject, unsendable } from './json.js';

export const REJECTED_BECAUSE = 'rejected_because';

/** What a CSV of refused rows has before the columns of the rows themselves; an import leaves them out again. */
export const REASONS = ['rejected_line', 'rejected_id', REJECTED_BECAUSE];

/** How many of the first columns are reasons; others of these names are fields like all. */
export function reasonsIn(header: readonly string[]): number {
  return REASONS.every((name, at) => header[at] === name) ? REASONS.length : 0;
}

/** The text of a record as it was before it was refused, to the letter where it is as it was written then. */
export function withoutReasons(text: string, record: JsonObject): string {
  const { [REJECTED_BECAUSE]: reasons, ...rest } = record;
  if (!isReasons(reasons)) return text;
  const others = Object.keys(rest).length;
  if (typeof reasons.text === 'string' && others === 0) return reasons.text;
  const member = `{${JSON.stringify(REJECTED_BECAUSE)}:${JSON.stringify(reasons)}`;
  if (text.startsWith(member) && others > 0) return `{${text.slice(member.length).replace(/^\s*,/, '')}`;
  return unsendable(rest) === undefined ? JSON.stringify(rest) : text;
}

function isReasons(value: Json | undefined): value is JsonObject {
  return isObject(value) && typeof value.line === 'number' && Array.isArray(value.messages);
}
