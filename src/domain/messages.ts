/** Every sentence of the interface that a caller may compare byte by byte. */
export const NO_DATA = 'No data available.';
export const INVALID_DATA = 'Invalid data.';
export const UNAUTHENTICATED = 'Unauthenticated.';
export const INTERNAL_ERROR = 'Internal Server Error. Please Connect to Customer Support.';

export const ACCOUNT_ID_MISSING = 'account_id does not exist.';
export const ACCOUNT_ID_NO_DOMAIN = 'account_id must be a valid domain name.';
export const ACCOUNT_ID_BLOCKED = 'account_id blocked by system.';
export const SELF_PARENT = "account_id and parent_account_id can't be same.";

export const tooLong = (field: string, limit: number) =>
  `The ${field} may not be greater than ${limit} characters.`;
export const mustBeString = (field: string) => `The ${field} must be a string.`;

/** `id` is the identifier as the caller sent it, trimmed; empty where there is none. */
export const invalidValue = (id: string, field: string, kind: string) =>
  `Account ${id}, ${field} has invalid ${kind} value.`;
export const readOnly = (id: string, field: string) => `Account ${id}, ${field} is read-only.`;
export const unknownField = (id: string, field: string, suggestion: string | undefined) =>
  `Account ${id}, ${field} is not a known field.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`;
