/**
 * On every answer: it is what its Content-Type says, no cache keeps it, and no page of another origin can draw it into
 * itself. Files that may be kept say so themselves.
 */
export const STANDARD_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
} as const;
