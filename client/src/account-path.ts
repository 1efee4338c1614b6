/** The path of an account, or of a resource below it such as `/children`. */
export function accountPath(id: string, suffix = ''): string {
  const text = String(id).trim();
  if (text === '') throw new TypeError('The account_id is empty.');
  // URL parsers resolve `.` and `..` as path segments, even escaped. A space prevents that, and the server trims it.
  const segment = /^\.{1,2}$/.test(text) ? ` ${text}` : text;
  return `api/v2/accounts/${encodeURIComponent(segment)}${suffix}`;
}
