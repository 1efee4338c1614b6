/** A column whose name ends so holds JSON in its cells, for values that are no text. */
export const JSON_COLUMN = ':json';

/**
 * Texts with an apostrophe before them: nothing, what begins with one, and what a spreadsheet may run as a formula. That
 * begins with a tab, a line end or one of `=+-@`, full-width forms included. White space and invisible characters may come
 * before it, since programs drop them. Of the properties, C has control, format and unassigned characters, DI what is not shown.
 */
const MARKED = "$|['\\t\\r\\n]|[\\s\\p{C}\\p{DI}]*[=+\\-@＝＋－＠]";
const NEEDS_MARK = new RegExp(`^(?:${MARKED})`, 'u');
const HAS_MARK = new RegExp(`^'(?=${MARKED})`, 'u');

/**
 * A text as a cell. An apostrophe before it says that it is text and nothing to be run; an empty text has one too,
 * because a cell without anything is no value at all.
 */
export function cellOfText(text: string): string {
  return NEEDS_MARK.test(text) ? `'${text}` : text;
}

/** The text of a cell, without the apostrophe that `cellOfText` put before it. */
export function textOfCell(cell: string): string {
  return HAS_MARK.test(cell) ? cell.slice(1) : cell;
}

/** One row, without its end. Whatever any reader might take for a delimiter is quoted. */
export function csvRow(cells: readonly string[], delimiter = ','): string {
  return cells.map((cell) => quote(cell, delimiter)).join(delimiter);
}

function quote(cell: string, delimiter: string): string {
  const isSafe = !/["\r\n,;\t|]|^\s|\s$/.test(cell) && !cell.includes(delimiter);
  return isSafe ? cell : `"${cell.replaceAll('"', '""')}"`;
}
