import type { Attribute, Json } from '@account-sync/client';

/** Suffix of columns with JSON values. The same as in `account-sync export`, so that an import accepts both files. */
const JSON_COLUMN = ':json';
/** Text that a spreadsheet may run as a formula, also after white space and invisible characters. */
const NEEDS_MARK = /^(?:$|['\t\r\n]|[\s\p{C}\p{DI}]*[=+\-@＝＋－＠])/u;
/** Without it, Excel assumes another encoding. */
const BYTE_ORDER_MARK = '\uFEFF';
const END = '\r\n';

/** Values that are not text but survive a plain cell, because the server parses the cell by the attribute type. */
const READ_AS: Partial<Record<Attribute['type'], string>> = {
  integer: 'number',
  decimal: 'number',
  boolean: 'boolean',
};

export interface CsvColumn {
  readonly name: string;
  readonly type?: Attribute['type'];
}

/** A file in pieces. A column has JSON cells if any of its values needs them, so all rows must be known. */
export function csvFile(columns: readonly CsvColumn[], rows: readonly (readonly Json[])[]): string[] {
  const areJson = columns.map(
    ({ name, type }, i) =>
      // Otherwise an import would read this name as the suffix of a JSON column.
      name.endsWith(JSON_COLUMN) || rows.some((row) => !isPlain(row[i] ?? null, type)),
  );
  const head = columns.map(({ name }, i) => cellOfText(areJson[i] ? name + JSON_COLUMN : name));
  const lines = rows.map((row) => row.map((value, i) => cellOf(value, areJson[i] ?? false)));
  return [BYTE_ORDER_MARK, ...[head, ...lines].map((cells) => cells.map(quote).join(',') + END)];
}

function isPlain(value: Json, type: Attribute['type'] | undefined): boolean {
  const kind = typeof value;
  return value === null || kind === 'string' || (type !== undefined && READ_AS[type] === kind);
}

function cellOf(value: Json, isJson: boolean): string {
  if (value === null) return '';
  if (isJson) return JSON.stringify(value);
  return typeof value === 'string' ? cellOfText(value) : String(value);
}

/** An apostrophe marks text: a spreadsheet does not run it, and an empty text differs from a missing value. */
function cellOfText(text: string): string {
  return NEEDS_MARK.test(text) ? `'${text}` : text;
}

/** Quotes every cell with a character that some reader may take for a delimiter. */
function quote(cell: string): string {
  return /["\r\n,;\t|]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
