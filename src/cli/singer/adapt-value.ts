import type { Json } from '../import/json.js';

/** Midnight in UTC, or without a time zone: the forms in which taps write a day that has no time. */
const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})T00:00:00(?:\.0+)?(?:Z|[+-]00:00)?$/;

/**
 * Adapts a value to the declared type of its field, only where the types of Singer leave a tap no other way to write it,
 * and only if nothing is lost. All other values stay as they are; the server checks them.
 */
export function adaptValue(value: Json, type: string): Json {
  // JSON Schema had no format for days when Singer was made, so taps write them as date-time.
  if (type === 'date' && typeof value === 'string') return MIDNIGHT.exec(value)?.[1] ?? value;
  // Databases and CRMs keep numbers of customers, contracts or postal codes as integers.
  if (type === 'text' && Number.isSafeInteger(value)) return String(value);
  return value;
}
