/** The server's details continue the name of the field, as in "must be integer". */
export function sentenceOf(detail: string): string {
  const text = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`;
  return /[.?]$/.test(text) ? text : `${text}.`;
}
