import type { Attribute, Json } from '@account-sync/client';

/** As the command `account-sync export` writes them, so that an import takes either file. */
const JSON_COLUMN = ':json';
/** What a spreadsheet may run, also behind white space and invisible characters. */
const NEEDS_MARK = /^(?:$|['\t\r\n]|[\s\p{C}\p{DI}]*[=+\-@＝＋－＠])/u;
/** Without it Excel takes the file for one in another encoding. */
const BYTE_ORDER_MARK = '\uFEFF';
const END = '\r\n';

/** What is no text and yet comes back equal from a plain cell, because the server reads it so. */
const READ_AS: Partial<Record<Attribute['type'], string>> = {
  integer: 'number',
  decimal: 'number',
  boolean: 'boolean',
};

export interface CsvColumn {
  readonly name: string;
  readonly type?: Attribute['type'];
}

/** A file in pieces. Whether a column holds JSON is known once every value is. */
export function csvFile(columns: readonly CsvColumn[], rows: readonly (readonly Json[])[]): string[] {
  const areJson = columns.map(
    ({ name, type }, i) =>
      // Else an import would take the end of the name for that of a column of JSON.
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

/** An apostrophe says that it is text: nothing for a spreadsheet to run, and nothing that is missing. */
function cellOfText(text: string): string {
  return NEEDS_MARK.test(text) ? `'${text}` : text;
}

/** Whatever any reader might take for a delimiter is quoted. */
function quote(cell: string): string {
  return /["\r\n,;\t|]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
