import { grouped } from '../domain/text.js';
import { TextCursor } from './text-cursor.js';

export interface CsvRow {
  /** The number of its first line, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A row that cannot be read; the rows after it can. */
export interface BrokenRow {
  readonly line: number;
  /** The text of the row, without its line end. */
  readonly text: string;
  readonly problem: string;
}

/** The rest of the file cannot be read. */
export class BrokenCsv extends Error {}

type State = 'before a row' | 'before a cell' | 'plain' | 'quoted' | 'after a quote' | 'broken';

/**
 * Reads CSV in pieces of any size: a state machine over cells. It is written by hand, because rows need their line
 * numbers, a broken row must be reported and skipped alone, and large files must be read fast.
 *
 *   before a row or cell --other--> plain -----------------delimiter--> before a cell
 *                        --quote--> quoted                 --line end---> before a row
 *   quoted --quote--> after a quote --delimiter or line end--> as after plain
 *                                   --quote--> quoted
 *                                   --other--> broken --line end--> before a row
 */
export class CsvReader {
  readonly #delimiter: string;
  readonly #maxCharacters: number;
  readonly #cursor: TextCursor;
  #rows: (CsvRow | BrokenRow)[] = [];
  #state: State = 'before a row';
  #line: number;
  #cells: string[] = [];
  /** The start of the last quoted cell in the row; -1 if there is none. */
  #quotedAt = -1;
  #hasDoubledQuote = false;
  #spansLines = false;

  constructor(delimiter: string, maxCharacters = 10 * 1024 * 1024, firstLine = 1) {
    this.#delimiter = delimiter;
    this.#maxCharacters = maxCharacters;
    this.#line = firstLine;
    this.#cursor = new TextCursor(delimiter);
  }

  /** Returns the rows that end in this piece of text. */
  push(text: string): (CsvRow | BrokenRow)[] {
    this.#cursor.setText(text);
    while (!this.#cursor.isAtEnd) this.#step();
    this.#checkLength();
    return this.#takeRows();
  }

  /** Returns the last row, which may have no line end. */
  end(): (CsvRow | BrokenRow)[] {
    if (this.#state === 'quoted') {
      const line = this.#line + countLineEnds(this.#cursor.row.slice(0, this.#quotedAt));
      throw new BrokenCsv(
        `Line ${grouped(line)}: the quoted cell ${this.#cells.length + 1} that begins there has no end. ` +
          'Close the quote, or write quotes inside the cell twice.',
      );
    }
    if (this.#state === 'broken') this.#endRow();
    else if (this.#state !== 'before a row') this.#endCell();
    return this.#takeRows();
  }

  #takeRows(): (CsvRow | BrokenRow)[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #step(): void {
    const cursor = this.#cursor;
    if (this.#state === 'before a row' || this.#state === 'before a cell') this.#beginCell();
    else if (this.#state === 'quoted') this.#readQuoted();
    else if (this.#state === 'after a quote') this.#readAfterQuote();
    else if (this.#state === 'plain') {
      cursor.toCellEnd();
      if (!cursor.isAtEnd) this.#endCell();
    } else {
      cursor.toLineEnd();
      if (!cursor.isAtEnd) this.#endRow();
    }
  }

  #beginCell(): void {
    if (this.#cursor.next !== '"') {
      this.#state = 'plain';
      return;
    }
    this.#state = 'quoted';
    this.#quotedAt = this.#cursor.rowLength;
    this.#hasDoubledQuote = false;
    this.#cursor.pass();
    this.#cursor.startCell();
  }

  #readQuoted(): void {
    if (this.#cursor.toQuote()) this.#spansLines = true;
    if (this.#cursor.isAtEnd) return;
    this.#cursor.pass();
    this.#state = 'after a quote';
  }

  #readAfterQuote(): void {
    const { next } = this.#cursor;
    if (next === '"') {
      this.#hasDoubledQuote = true;
      this.#cursor.pass();
      this.#state = 'quoted';
    } else if (next === this.#delimiter || next === '\n' || next === '\r') {
      this.#endCell();
    } else {
      this.#state = 'broken';
    }
  }

  #endCell(): void {
    const text = this.#cursor.cell;
    this.#cells.push(this.#state === 'after a quote' ? this.#unquoted(text) : text);
    if (this.#cursor.next === this.#delimiter) {
      this.#state = 'before a cell';
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
    if (this.#state === 'broken') this.#rows.push(this.#brokenRow());
    else if (!this.#isBlank()) this.#rows.push({ line: this.#line, cells: this.#cells });
    this.#line += this.#spansLines ? 1 + countLineEnds(this.#cursor.row) : 1;
    this.#cursor.passLineEnd();
    this.#cursor.startRow();
    this.#state = 'before a row';
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
