import { hash } from 'node:crypto';
import type { JsonValue } from '../../domain/json.js';
import { refusals } from '../refusal.js';

/** Where a listing goes on; only the same listing takes it back. */
export function writeCursor(listing: JsonValue, key: JsonValue): string {
  return Buffer.from(JSON.stringify([nameOf(listing), key])).toString('base64url');
}

export function readCursor<Key extends JsonValue>(listing: JsonValue, cursor: string): Key {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    // Refused below.
  }
  if (Array.isArray(parsed) && parsed.length === 2 && parsed[0] === nameOf(listing)) return parsed[1];
  throw refusals.invalid([
    { pointer: '/query/cursor', detail: 'must be the `next` of a page of this same listing' },
  ]);
}

function nameOf(listing: JsonValue): string {
  return hash('sha256', JSON.stringify(listing), 'base64url').slice(0, 8);
}
