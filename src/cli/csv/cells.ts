/** A column whose name ends so holds JSON in its cells, for values that are no text. */
export const JSON_COLUMN = ':json';

/** What makes a spreadsheet run a cell as a formula; full-width forms, tabs and line ends before it included. */
const FORMULA = '=+\\-@\\t\\r\\n＝＋－＠';
const NEEDS_MARK = new RegExp(`^(?:$|[${FORMULA}'])`);
const HAS_MARK = new RegExp(`^'(?=$|[${FORMULA}'])`);

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
