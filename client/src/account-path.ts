/** The path of an account, or of something of it. */
export function accountPath(id: string, rest = ''): string {
  const text = String(id).trim();
  if (text === '') throw new TypeError('The account_id is empty.');
  // Dots alone would walk up the path, even escaped; the server trims identifiers, so a space keeps them in place.
  const segment = /^\.{1,2}$/.test(text) ? ` ${text}` : text;
  return `api/v2/accounts/${encodeURIComponent(segment)}${rest}`;
}
