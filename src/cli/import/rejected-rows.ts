import { cellOfText, csvRow } from '../../formats/csv-cells.js';
import type { Item } from './items.js';
import { REASONS, REJECTED_BECAUSE, reasonsIn } from './items.js';
import { isObject, parseJson } from './json.js';
import type { Source } from './open-import-file.js';
import { DELIMITERS } from './recognise.js';

export interface RejectedRow {
  readonly accountId: string | null;
  readonly messages: readonly string[];
}

/** Refused rows as they are written: as they came, behind the reasons. */
export class RejectionLines {
  readonly #source: Pick<Source, 'format' | 'delimiter' | 'lineEnd' | 'hasMark'>;
  readonly #header: readonly string[];
  /** How many cells before each row tell of an earlier time, where such a file is imported. */
  readonly #reasons: number;

  /** `header` is the first row of a CSV. */
  constructor(
    source: Pick<Source, 'format' | 'delimiter' | 'lineEnd' | 'hasMark'>,
    header: readonly string[],
  ) {
    this.#source = source;
    this.#header = header;
    this.#reasons = reasonsIn(header);
  }

  /** What stands before the first. */
  get head(): string {
    const { format, delimiter, lineEnd, hasMark } = this.#source;
    if (format !== 'csv') return '';
    const separatorLine = DELIMITERS.includes(delimiter) ? '' : `sep=${delimiter}${lineEnd}`;
    const names = [...REASONS, ...this.#header.slice(this.#reasons)];
    return `${hasMark ? '\ufeff' : ''}${separatorLine}${csvRow(names, delimiter)}${lineEnd}`;
  }

  line({ line, original }: Item, refusal: RejectedRow): string {
    const { format, delimiter, lineEnd } = this.#source;
    if (format !== 'csv') return jsonLine(line, original as string, refusal);
    const { accountId, messages } = refusal;
    const id = accountId === null ? '' : cellOfText(accountId);
    const reasons = csvRow([String(line), id, cellOfText(messages.join(' '))], delimiter);
    const row =
      typeof original === 'string'
        ? this.#ownText(original)
        : csvRow(original.length > this.#reasons ? original.slice(this.#reasons) : original, delimiter);
    return `${reasons}${delimiter}${row}${lineEnd}`;
  }

  /** Of a row whose cells cannot be told; those of the reasons still can. */
  #ownText(text: string): string {
    const delimiter = `\\u${this.#source.delimiter.charCodeAt(0).toString(16).padStart(4, '0')}`;
    const cell = `(?:"(?:[^"]|"")*"|[^"${delimiter}]*)${delimiter}`;
    return text.replace(new RegExp(`^(?:${cell}){${this.#reasons}}`), '');
  }
}

/** The reasons stand first in the record itself; where it is no object, it stands among the reasons. */
function jsonLine(line: number, original: string, { accountId, messages }: RejectedRow): string {
  const text = original.trim();
  const record = parseJson(text);
  const reasons = { line, account_id: accountId, messages, ...(!isObject(record) && { text }) };
  const member = `{${JSON.stringify(REJECTED_BECAUSE)}:${JSON.stringify(reasons)}`;
  if (!isObject(record) || Object.keys(record).length === 0) return `${member}}\n`;
  return `${member},${text.slice(1).replace(/[\r\n]+/g, ' ')}\n`;
}
