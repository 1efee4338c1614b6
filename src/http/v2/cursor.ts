import { hash } from 'node:crypto';
import type { JsonValue } from '../../domain/json.js';
import { invalidRequest } from '../errors.js';

/** An opaque cursor: where a page ended, with a hash of the listing, so that no other listing accepts it. */
export function writeCursor(listing: JsonValue, key: JsonValue): string {
  return Buffer.from(JSON.stringify([nameOf(listing), key])).toString('base64url');
}

/** `isKey` validates the decoded key: a client may have forged it, and invalid keys would make the database fail. */
export function readCursor<Key extends JsonValue>(
  listing: JsonValue,
  cursor: string,
  isKey: (value: unknown) => value is Key,
  pointer = '/query/cursor',
): Key {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    // Rejected below.
  }
  if (Array.isArray(parsed) && parsed[0] === nameOf(listing) && isKey(parsed[1])) return parsed[1];
  throw invalidRequest([{ pointer, detail: 'must be the `next` of a page of this same listing' }]);
}

export function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

export function areStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string' && !text.includes('\0'));
}

function nameOf(listing: JsonValue): string {
  return hash('sha256', JSON.stringify(listing), 'base64url').slice(0, 8);
}
