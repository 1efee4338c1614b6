import { grouped } from '../domain/text.js';
import { TextCursor } from './text-cursor.js';

export interface CsvRow {
  /** Where it begins; the first is 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A row that cannot be read, though those behind it can. */
export interface BrokenRow {
  readonly line: number;
  /** As it stands there, without its line end. */
  readonly text: string;
  readonly problem: string;
}

/** The rest cannot be read. */
export class BrokenCsv extends Error {}

type Place = 'before a row' | 'before a cell' | 'plain' | 'quoted' | 'behind a quote' | 'broken';

/**
 * CSV as it comes, in pieces of any size. By hand, because rows need their line numbers, a broken row has to be told
 * and skipped alone, and large files are waited for.
 */
export class CsvReader {
  readonly #delimiter: string;
  readonly #maxCharacters: number;
  readonly #cursor: TextCursor;
  #rows: (CsvRow | BrokenRow)[] = [];
  #place: Place = 'before a row';
  #line: number;
  #cells: string[] = [];
  /** Where the last quoted cell of the row begins in it; -1 where there is none. */
  #quotedAt = -1;
  #hasDoubledQuote = false;
  #spansLines = false;

  constructor(delimiter: string, maxCharacters = 10 * 1024 * 1024, firstLine = 1) {
    this.#delimiter = delimiter;
    this.#maxCharacters = maxCharacters;
    this.#line = firstLine;
    this.#cursor = new TextCursor(delimiter);
  }

  /** The rows that end in this piece of text. */
  push(text: string): (CsvRow | BrokenRow)[] {
    this.#cursor.turnTo(text);
    while (!this.#cursor.isAtEnd) this.#readOn();
    this.#checkLength();
    return this.#takeRows();
  }

  /** The last row, which may have no line end. */
  end(): (CsvRow | BrokenRow)[] {
    if (this.#place === 'quoted') {
      const line = this.#line + countLineEnds(this.#cursor.row.slice(0, this.#quotedAt));
      throw new BrokenCsv(
        `Line ${grouped(line)}: the quoted cell ${this.#cells.length + 1} that begins there has no end. ` +
          'Close the quote, or write quotes inside the cell twice.',
      );
    }
    if (this.#place === 'broken') this.#endRow();
    else if (this.#place !== 'before a row') this.#endCell();
    return this.#takeRows();
  }

  #takeRows(): (CsvRow | BrokenRow)[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #readOn(): void {
    const cursor = this.#cursor;
    if (this.#place === 'before a row' || this.#place === 'before a cell') this.#beginCell();
    else if (this.#place === 'quoted') this.#readQuoted();
    else if (this.#place === 'behind a quote') this.#readBehindQuote();
    else if (this.#place === 'plain') {
      cursor.toCellEnd();
      if (!cursor.isAtEnd) this.#endCell();
    } else {
      cursor.toLineEnd();
      if (!cursor.isAtEnd) this.#endRow();
    }
  }

  #beginCell(): void {
    if (this.#cursor.next !== '"') {
      this.#place = 'plain';
      return;
    }
    this.#place = 'quoted';
    this.#quotedAt = this.#cursor.rowLength;
    this.#hasDoubledQuote = false;
    this.#cursor.pass();
    this.#cursor.startCell();
  }

  #readQuoted(): void {
    if (this.#cursor.toQuote()) this.#spansLines = true;
    if (this.#cursor.isAtEnd) return;
    this.#cursor.pass();
    this.#place = 'behind a quote';
  }

  #readBehindQuote(): void {
    const { next } = this.#cursor;
    if (next === '"') {
      this.#hasDoubledQuote = true;
      this.#cursor.pass();
      this.#place = 'quoted';
    } else if (next === this.#delimiter || next === '\n' || next === '\r') {
      this.#endCell();
    } else {
      this.#place = 'broken';
    }
  }

  #endCell(): void {
    const text = this.#cursor.cell;
    this.#cells.push(this.#place === 'behind a quote' ? this.#unquoted(text) : text);
    if (this.#cursor.next === this.#delimiter) {
      this.#place = 'before a cell';
      this.#cursor.pass();
      this.#cursor.startCell();
    } else this.#endRow();
  }

  #unquoted(text: string): string {
    const inner = text.slice(0, -1);
    return this.#hasDoubledQuote ? inner.replaceAll('""', '"') : inner;
  }

  #endRow(): void {
    this.#checkLength();
    if (this.#place === 'broken') this.#rows.push(this.#brokenRow());
    else if (!this.#isBlank()) this.#rows.push({ line: this.#line, cells: this.#cells });
    this.#line += this.#spansLines ? 1 + countLineEnds(this.#cursor.row) : 1;
    this.#cursor.passLineEnd();
    this.#cursor.startRow();
    this.#place = 'before a row';
    this.#cells = [];
    this.#quotedAt = -1;
    this.#spansLines = false;
  }

  #brokenRow(): BrokenRow {
    const problem =
      `Text follows the closing quote of cell ${this.#cells.length + 1}; ` +
      'quotes inside a quoted cell are written twice.';
    return { line: this.#line, text: this.#cursor.row, problem };
  }

  #isBlank(): boolean {
    return this.#cells.length === 1 && this.#quotedAt === -1 && this.#cells[0]?.trim() === '';
  }

  #checkLength(): void {
    if (this.#cursor.rowLength <= this.#maxCharacters) return;
    throw new BrokenCsv(
      `Line ${grouped(this.#line)}: the row is longer than ${grouped(this.#maxCharacters)} characters. ` +
        'If a quote in it is not closed, close it, or write quotes inside the cell twice.',
    );
  }
}

function countLineEnds(text: string): number {
  return text.match(/\r\n?|\n/g)?.length ?? 0;
}
