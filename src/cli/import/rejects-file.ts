import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { CommandFailed } from '../command-line.js';
import { cellOfText, csvRow } from '../csv/cells.js';
import { type Item, isObject, parseJson } from './items.js';
import type { Source } from './open-source.js';
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
    // What an earlier run refused is not what this one refuses.
    if (bytes === 0) attempt(() => rmSync(path, { force: true }));
    else if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < bytes) {
      throw new CommandFailed(
        `${path} is not what it was when the import was broken off. Import from the beginning, without --resume.`,
      );
    } else this.#file = this.#open();
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
    return attempt(() => {
      const file = openSync(this.path, this.#bytes === 0 ? 'w' : 'r+');
      // Behind what was noted may be rows that will be refused again, or will not.
      ftruncateSync(file, this.#bytes);
      return file;
    });
  }

  #csvHeader(): string {
    const names = [REJECTED_LINE, REJECTED_ID, REJECTED_BECAUSE, ...this.#own(this.header)];
    return `${this.source.hasMark ? '\ufeff' : ''}${this.#row(names)}${this.source.lineEnd}`;
  }

  #csvLine({ line, original }: Item, { accountId, messages }: Refusal): string {
    const { delimiter, lineEnd } = this.source;
    const reasons = [
      String(line),
      accountId === null ? '' : cellOfText(accountId),
      cellOfText(messages.join(' ')),
    ];
    const row = typeof original === 'string' ? original : this.#row(this.#own(original));
    return `${this.#row(reasons)}${delimiter}${row}${lineEnd}`;
  }

  /** Without the reasons of an earlier time, where it is such a file that is imported. */
  #own(cells: readonly string[]): readonly string[] {
    if (cells.length !== this.header.length) return cells;
    return cells.filter((_, at) => !REJECTION_NAMES.has(this.header[at] as string));
  }

  #row(cells: readonly string[]): string {
    return csvRow(cells, this.source.delimiter);
  }
}

function attempt<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { message } = error as Error;
    throw new CommandFailed(`The refused rows cannot be written: ${message}. Give --rejects <file>.`);
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
