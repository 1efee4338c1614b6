import type { Attribute, WebhookFilter } from '@account-sync/client';

export type FilterValue = WebhookFilter['values'][string][number];

/** Values of other types are texts. */
const JSON_TYPES: readonly Attribute['type'][] = ['integer', 'decimal', 'boolean'];

/**
 * Reads an entered value. `type` is undefined for an undeclared field: then 5, true and null are read as JSON, as on the
 * command line. In quotes, every value is a text.
 */
export function readFilterValue(text: string, type: Attribute['type'] | undefined): FilterValue {
  const isText = type !== undefined && !JSON_TYPES.includes(type);
  if (isText && text !== 'null' && !text.startsWith('"')) return text;
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? text : value;
  } catch {
    return text;
  }
}

/** The inverse of `readFilterValue`: in quotes if it would be read as another value without them. */
export function filterValueText(value: FilterValue): string {
  return typeof value === 'string' && readFilterValue(value, undefined) === value
    ? value
    : JSON.stringify(value);
}
