import { cellOfText, csvRow } from '../../formats/csv-cells.js';
import type { ImportItem } from './items.js';
import { countReasonColumns, REASON_NAMES, REJECTED_BECAUSE } from './items.js';
import { isObject, parseJson } from './json.js';
import type { ImportFile } from './open-import-file.js';
import { DELIMITERS } from './recognise.js';

export interface RejectedRow {
  readonly accountId: string | null;
  readonly messages: readonly string[];
}

/** Formats rejected rows: the reasons first, then the original row, in the format of the imported file. */
export class RejectedRowFormatter {
  readonly #importFile: Pick<ImportFile, 'format' | 'delimiter' | 'lineEnd' | 'hasMark'>;
  readonly #header: readonly string[];
  /** The number of reason cells in each row, if the imported file is itself a file of rejected rows. */
  readonly #reasonCells: number;

  /** `header` is the first row of a CSV. */
  constructor(
    importFile: Pick<ImportFile, 'format' | 'delimiter' | 'lineEnd' | 'hasMark'>,
    header: readonly string[],
  ) {
    this.#importFile = importFile;
    this.#header = header;
    this.#reasonCells = countReasonColumns(header);
  }

  /** The text before the first row. */
  get head(): string {
    const { format, delimiter, lineEnd, hasMark } = this.#importFile;
    if (format !== 'csv') return '';
    const separatorLine = DELIMITERS.includes(delimiter) ? '' : `sep=${delimiter}${lineEnd}`;
    const names = [...REASON_NAMES, ...this.#header.slice(this.#reasonCells)];
    return `${hasMark ? '\ufeff' : ''}${separatorLine}${csvRow(names, delimiter)}${lineEnd}`;
  }

  line({ line, original }: ImportItem, rejection: RejectedRow): string {
    const { format, delimiter, lineEnd } = this.#importFile;
    if (format !== 'csv') return jsonLine(line, original as string, rejection);
    const { accountId, messages } = rejection;
    const id = accountId === null ? '' : cellOfText(accountId);
    const reasons = csvRow([String(line), id, cellOfText(messages.join(' '))], delimiter);
    const row =
      typeof original === 'string'
        ? this.#withoutReasonCells(original)
        : csvRow(
            original.length > this.#reasonCells ? original.slice(this.#reasonCells) : original,
            delimiter,
          );
    return `${reasons}${delimiter}${row}${lineEnd}`;
  }

  /** The text of a broken row without its reason cells, which are still valid. */
  #withoutReasonCells(text: string): string {
    const delimiter = `\\u${this.#importFile.delimiter.charCodeAt(0).toString(16).padStart(4, '0')}`;
    const cell = `(?:"(?:[^"]|"")*"|[^"${delimiter}]*)${delimiter}`;
    return text.replace(new RegExp(`^(?:${cell}){${this.#reasonCells}}`), '');
  }
}

/** Puts the reasons first in the record. If it is not an object, puts its text into the reasons. */
function jsonLine(line: number, original: string, { accountId, messages }: RejectedRow): string {
  const text = original.trim();
  const record = parseJson(text);
  const reasons = { line, account_id: accountId, messages, ...(!isObject(record) && { text }) };
  const member = `{${JSON.stringify(REJECTED_BECAUSE)}:${JSON.stringify(reasons)}`;
  if (!isObject(record) || Object.keys(record).length === 0) return `${member}}\n`;
  return `${member},${text.slice(1).replace(/[\r\n]+/g, ' ')}\n`;
}
