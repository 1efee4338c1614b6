import { ApiError } from './call';

/** The server's message about one field of the request body, if any. */
export function fieldError(error: Error | null, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const path = `/body/${field}`;
  const details = error.errors.filter(({ pointer }) => pointer === path || pointer.startsWith(`${path}/`));
  return details.length === 0 ? undefined : details.map(({ detail }) => sentenceOf(detail)).join(' ');
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
