import { ApiError } from './call';
import { sentenceOf } from './sentence-of';

/** The server's message about one field of the request body, if any; `textOf` words each of its details. */
export function fieldError(
  error: Error | null,
  field: string,
  textOf: (detail: string) => string = sentenceOf,
): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const path = `/body/${field}`;
  const details = error.errors.filter(({ pointer }) => pointer === path || pointer.startsWith(`${path}/`));
  return details.length === 0 ? undefined : details.map(({ detail }) => textOf(detail)).join(' ');
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
