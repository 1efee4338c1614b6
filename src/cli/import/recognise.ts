export type Format = 'csv' | 'ndjson' | 'json';

/** The properties of a text that are detected from its first bytes. */
interface TextForm {
  readonly format: Format;
  readonly delimiter: string;
  readonly lineEnd: string;
  /** The first line with its end, if it only names the delimiter, as Excel writes it: `sep=;`. */
  readonly separatorLine: string;
}

/** The delimiters that can be detected from the header. */
export const DELIMITERS = [',', ';', '\t', '|'];

export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Excel workbooks are zip files, too. */
export function isZip(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'));
}

export function hasUtf8Mark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Uses the byte order mark, or for UTF-16 without one the zero bytes of the first two letters. */
export function recogniseEncoding(bytes: Buffer): string {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a && b === 0 && c && d === 0) return 'utf-16le';
  if (a === 0 && b && c === 0 && d) return 'utf-16be';
  return 'utf-8';
}

export function recogniseForm(text: string, format = recogniseFormat(text)): TextForm {
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

/** A whole quoted cell, next to any delimiter. */
const QUOTED_CELL = /(?<=^|[,;\t|\r\n])"(?:[^"]|"")*"(?=[,;\t|\r\n]|$)/g;

/** The delimiter that splits the header into the most cells; quoted cells are ignored. */
function recogniseDelimiter(text: string): string {
  const lines = text.replace(QUOTED_CELL, 'cell').split(/[\r\n]/);
  const header = lines.find((line) => line.trim() !== '') ?? '';
  const cells = (delimiter: string) => header.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (cells(delimiter) > cells(best) ? delimiter : best));
}
