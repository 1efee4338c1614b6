export type Format = 'csv' | 'ndjson' | 'json';

/** What can be said of a text from its beginning. */
export interface Form {
  readonly format: Format;
  readonly delimiter: string;
  readonly lineEnd: string;
  /** The first line, with its end, where it only says which delimiter follows: `sep=;`, as Excel writes it. */
  readonly separatorLine: string;
}

/** What can be told from the header alone. */
export const DELIMITERS = [',', ';', '\t', '|'];

export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Workbooks are zip files, too. */
export function isZip(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'));
}

export function hasUtf8Mark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** By the byte order mark, or in UTF-16 without one by the zeros beside the first two letters. */
export function recogniseEncoding(bytes: Buffer): string {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a && b === 0 && c && d === 0) return 'utf-16le';
  if (a === 0 && b && c === 0 && d) return 'utf-16be';
  return 'utf-8';
}

export function recogniseForm(text: string, format = recogniseFormat(text)): Form {
  const lineEnd = /\r\n?|\n/.exec(text)?.[0] ?? '\n';
  if (format !== 'csv') return { format, delimiter: ',', lineEnd, separatorLine: '' };
  const [separatorLine = '', named] = /^"?sep=([^"\r\n])"?(?:\r\n?|\n|$)/i.exec(text) ?? [];
  return { format, delimiter: named ?? recogniseDelimiter(text), lineEnd, separatorLine };
}

function recogniseFormat(text: string): Format {
  const first = text.trimStart()[0];
  if (first === '[') return 'json';
  return first === '{' ? 'ndjson' : 'csv';
}

/** A whole cell in quotes, whichever delimiter is beside it. */
const QUOTED_CELL = /(?<=^|[,;\t|\r\n])"(?:[^"]|"")*"(?=[,;\t|\r\n]|$)/g;

/** The one that makes the most cells of the header. What stands in quotes says nothing about it. */
function recogniseDelimiter(text: string): string {
  const lines = text.replace(QUOTED_CELL, 'cell').split(/[\r\n]/);
  const header = lines.find((line) => line.trim() !== '') ?? '';
  const cells = (delimiter: string) => header.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (cells(delimiter) > cells(best) ? delimiter : best));
}
