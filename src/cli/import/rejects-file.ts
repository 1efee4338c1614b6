import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { CommandFailed } from '../command-line.js';
import { cellOfText, csvRow } from '../csv/cells.js';
import { type Item, isObject, parseJson } from './items.js';
import type { Source } from './open-source.js';
import { DELIMITERS } from './recognise.js';
import { REJECTED_BECAUSE, REJECTED_ID, REJECTED_LINE, REJECTION_NAMES } from './rejection-names.js';

/** Beyond this much, what has gathered is written. */
const ENOUGH_CHARACTERS = 65_536;

export interface Refusal {
  readonly accountId: string | null;
  readonly messages: readonly string[];
}

/** The refused rows in the form in which they came, each with its line, its id and the reasons. */
export class RejectsFile {
  #file: number | undefined;
  #bytes: number;
  #waiting = '';

  /** `header` are the columns of a CSV. With `bytes` of an earlier run, it goes on behind them. */
  constructor(
    readonly path: string,
    private readonly source: Pick<Source, 'format' | 'delimiter' | 'lineEnd' | 'hasMark'>,
    private readonly header: readonly string[],
    bytes = 0,
  ) {
    this.#bytes = bytes;
    // Whether it can be written is asked before anything is sent: later, the refused rows would be lost.
    closeSync(this.#open());
    // What an earlier run refused is not what this one refuses.
    if (bytes === 0) rmSync(path);
  }

  /** On the disk, so that whoever notes it can rely on it. */
  get bytes(): number {
    return this.#bytes;
  }

  add(item: Item, refusal: Refusal): void {
    const isCsv = this.source.format === 'csv';
    if (this.#bytes === 0 && this.#waiting === '' && isCsv) this.#waiting = this.#csvHeader();
    this.#waiting += isCsv ? this.#csvLine(item, refusal) : jsonLine(item, refusal);
    if (this.#waiting.length > ENOUGH_CHARACTERS) this.flush();
  }

  flush(): void {
    if (this.#waiting === '') return;
    this.#file ??= this.#open();
    const bytes = Buffer.from(this.#waiting);
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#file, bytes, written, bytes.length - written, this.#bytes + written);
    }
    fsyncSync(this.#file);
    this.#bytes += bytes.length;
    this.#waiting = '';
  }

  close(): void {
    this.flush();
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #open(): number {
    try {
      const file = openSync(this.path, this.#bytes === 0 ? 'w' : 'r+');
      // Behind what was noted may be rows that will be refused again.
      ftruncateSync(file, this.#bytes);
      return file;
    } catch (error) {
      const { message } = error as Error;
      throw new CommandFailed(`The refused rows cannot be written: ${message}. Give --rejects <file>.`);
    }
  }

  #csvHeader(): string {
    const names = [REJECTED_LINE, REJECTED_ID, REJECTED_BECAUSE, ...this.#own(this.header)];
    const { delimiter, lineEnd, hasMark } = this.source;
    const separatorLine = DELIMITERS.includes(delimiter) ? '' : `sep=${delimiter}${lineEnd}`;
    return `${hasMark ? '\ufeff' : ''}${separatorLine}${this.#row(names)}${lineEnd}`;
  }

  #csvLine({ line, original }: Item, { accountId, messages }: Refusal): string {
    const { delimiter, lineEnd } = this.source;
    const reasons = [
      String(line),
      accountId === null ? '' : cellOfText(accountId),
      cellOfText(messages.join(' ')),
    ];
    const row = typeof original === 'string' ? this.#ownText(original) : this.#row(this.#own(original));
    return `${this.#row(reasons)}${delimiter}${row}${lineEnd}`;
  }

  /** Without the reasons of an earlier time, where it is such a file that is imported. */
  #own(cells: readonly string[]): readonly string[] {
    const reasons = this.#leadingReasons;
    if (cells.length !== this.header.length) return cells.length > reasons ? cells.slice(reasons) : cells;
    return cells.filter((_, at) => !REJECTION_NAMES.has(this.header[at] as string));
  }

  /** The same of a row whose cells cannot be told; those of the reasons still can. */
  #ownText(text: string): string {
    const delimiter = `\\u${this.source.delimiter.charCodeAt(0).toString(16).padStart(4, '0')}`;
    const cell = `(?:"(?:[^"]|"")*"|[^"${delimiter}]*)${delimiter}`;
    return text.replace(new RegExp(`^(?:${cell}){${this.#leadingReasons}}`), '');
  }

  /** In a row with more or fewer cells than the header, only these are where they were written. */
  get #leadingReasons(): number {
    return this.header.findIndex((name) => !REJECTION_NAMES.has(name));
  }

  #row(cells: readonly string[]): string {
    return csvRow(cells, this.source.delimiter);
  }
}

/** The reasons stand first in the record itself; where it is no object, it stands among the reasons. */
function jsonLine({ line, original }: Item, { accountId, messages }: Refusal): string {
  const text = (original as string).trim();
  const record = parseJson(text);
  const reasons = { line, account_id: accountId, messages, ...(!isObject(record) && { text }) };
  const member = `{${JSON.stringify(REJECTED_BECAUSE)}:${JSON.stringify(reasons)}`;
  if (!isObject(record) || Object.keys(record).length === 0) return `${member}}\n`;
  return `${member},${text.slice(1).replace(/[\r\n]+/g, ' ')}\n`;
}
