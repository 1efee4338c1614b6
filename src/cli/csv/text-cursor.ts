import { Occurrences } from './occurrences.js';

/** A place in CSV that comes in pieces, with what the pieces have had of the row and of the cell it is in. */
export class TextCursor {
  readonly #delimiter: string;
  #text = '';
  #at = 0;
  #quotes = new Occurrences('', '"');
  #delimiters = this.#quotes;
  #returns = this.#quotes;
  #lineFeeds = this.#quotes;
  /** What earlier pieces had of the row; the rest begins at `#rowStart` in this one. The same of the cell. */
  #heldRow = '';
  #rowStart = 0;
  #heldCell = '';
  #cellStart = 0;
  #isBehindReturn = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** Goes on with the next piece. */
  turnTo(text: string): void {
    this.#heldRow += this.#text.slice(this.#rowStart);
    this.#heldCell += this.#text.slice(this.#cellStart);
    this.#text = text;
    this.#at = this.#isBehindReturn && text.startsWith('\n') ? 1 : 0;
    if (text !== '') this.#isBehindReturn = false;
    this.#rowStart = this.#at;
    this.#cellStart = this.#at;
    this.#quotes = new Occurrences(text, '"');
    this.#delimiters = new Occurrences(text, this.#delimiter);
    this.#returns = new Occurrences(text, '\r');
    this.#lineFeeds = new Occurrences(text, '\n');
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** The character that comes next. */
  get next(): string | undefined {
    return this.#text[this.#at];
  }

  get rowLength(): number {
    return this.#heldRow.length + this.#at - this.#rowStart;
  }

  get row(): string {
    return this.#heldRow + this.#text.slice(this.#rowStart, this.#at);
  }

  get cell(): string {
    return this.#heldCell + this.#text.slice(this.#cellStart, this.#at);
  }

  /** Its first cell starts with it. */
  startRow(): void {
    this.#heldRow = '';
    this.#rowStart = this.#at;
    this.startCell();
  }

  startCell(): void {
    this.#heldCell = '';
    this.#cellStart = this.#at;
  }

  pass(): void {
    this.#at += 1;
  }

  /** A carriage return takes a line feed with it, be it in the next piece. */
  passLineEnd(): void {
    const isReturn = this.#text[this.#at] === '\r';
    this.#at += 1;
    if (!isReturn) return;
    if (this.#at === this.#text.length) this.#isBehindReturn = true;
    else if (this.#text[this.#at] === '\n') this.#at += 1;
  }

  toLineEnd(): void {
    this.#at = this.#lineEnd();
  }

  toCellEnd(): void {
    this.#at = Math.min(this.#delimiters.from(this.#at), this.#lineEnd());
  }

  /** Whether it passed a line end on the way. */
  toQuote(): boolean {
    const quote = this.#quotes.from(this.#at);
    const isPastLineEnd = this.#lineEnd() < quote;
    this.#at = quote;
    return isPastLineEnd;
  }

  #lineEnd(): number {
    return Math.min(this.#lineFeeds.from(this.#at), this.#returns.from(this.#at));
  }
}
