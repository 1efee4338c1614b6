import { ApiError } from './call';

/** The server's message about one field of the request body, if any. */
export function fieldError(error: Error | null, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const path = `/body/${field}`;
  const details = error.errors.filter(({ pointer }) => pointer === path || pointer.startsWith(`${path}/`));
  return details.length === 0 ? undefined : details.map(({ detail }) => sentenceOf(detail)).join(' ');
}

/** The server's message about a name that is in the path and not in the body. */
export function nameError(error: Error | null): string | undefined {
  const errors = error instanceof ApiError ? error.errors : [];
  const detail = errors.find(({ pointer }) => pointer === '/path/name')?.detail;
  return detail === undefined ? undefined : sentenceOf(detail);
}

/** The error, unless it is about one of the fields that are shown. */
export function otherError(error: Error | null, fields: readonly string[]): Error | null {
  return fields.some((field) => fieldError(error, field) !== undefined) ? null : error;
}

/** The server's details continue the name of the field, as in "must be integer". */
function sentenceOf(detail: string): string {
  const text = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`;
  return /[.?]$/.test(text) ? text : `${text}.`;
}
