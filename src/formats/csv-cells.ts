/** A column whose name has this suffix contains JSON in its cells, for values that are not text. */
export const JSON_COLUMN = ':json';

/**
 * Matches texts that get an apostrophe: the empty text, texts that start with an apostrophe, and texts that a
 * spreadsheet may run as a formula. Those start with a tab, a line end or one of `=+-@`, including full-width forms.
 * White space and invisible characters can precede them, because programs drop these. The Unicode property C covers
 * control, format and unassigned characters, DI (Default_Ignorable) invisible ones.
 */
const MARKED = "$|['\\t\\r\\n]|[\\s\\p{C}\\p{DI}]*[=+\\-@＝＋－＠]";
const NEEDS_MARK = new RegExp(`^(?:${MARKED})`, 'u');
const HAS_MARK = new RegExp(`^'(?=${MARKED})`, 'u');

/**
 * Writes a text as a cell. An apostrophe marks it as text, so that a spreadsheet does not run it as a formula. An empty
 * text gets one too, because an empty cell means no value.
 */
export function cellOfText(text: string): string {
  return NEEDS_MARK.test(text) ? `'${text}` : text;
}

/** Reads the text of a cell, without the apostrophe of `cellOfText`. */
export function textOfCell(cell: string): string {
  return HAS_MARK.test(cell) ? cell.slice(1) : cell;
}

/** One row, without its line end. Quotes everything that any reader could treat as a delimiter. */
export function csvRow(cells: readonly string[], delimiter = ','): string {
  return cells.map((cell) => quote(cell, delimiter)).join(delimiter);
}

function quote(cell: string, delimiter: string): string {
  const isSafe = !/["\r\n,;\t|]|^\s|\s$/.test(cell) && !cell.includes(delimiter);
  return isSafe ? cell : `"${cell.replaceAll('"', '""')}"`;
}
