import { Problem } from './call';

/** What the server says of one field of the body that was sent; undefined where it says nothing. */
export function fieldProblem(error: Error | null, field: string): string | undefined {
  if (!(error instanceof Problem)) return undefined;
  const path = `/body/${field}`;
  const details = error.errors.filter(({ pointer }) => pointer === path || pointer.startsWith(`${path}/`));
  return details.length === 0 ? undefined : details.map(({ detail }) => sentenceOf(detail)).join(' ');
}

/** What belongs to none of the fields that are shown. */
export function otherProblem(error: Error | null, fields: readonly string[]): Error | null {
  return fields.some((field) => fieldProblem(error, field) !== undefined) ? null : error;
}

/** The server's details go on from the name of the field, as in "must be integer". */
function sentenceOf(detail: string): string {
  const text = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`;
  return /[.?]$/.test(text) ? text : `${text}.`;
}
