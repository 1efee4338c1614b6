/**
 * A position in text that arrives in pieces. It keeps the part of the current row and cell that earlier pieces contain,
 * so that `row` and `cell` are complete across pieces.
 */
export class TextCursor {
  readonly #delimiter: string;
  #text = '';
  #at = 0;
  #quotes = new Occurrences('', '"');
  #delimiters = this.#quotes;
  #returns = this.#quotes;
  #lineFeeds = this.#quotes;
  /** The row's text in earlier pieces; the rest starts at `#rowStart` in this piece. The same for the cell. */
  #heldRow = '';
  #rowStart = 0;
  #heldCell = '';
  #cellStart = 0;
  #endsWithReturn = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** Continues with the next piece. */
  setText(text: string): void {
    this.#heldRow += this.#text.slice(this.#rowStart);
    this.#heldCell += this.#text.slice(this.#cellStart);
    this.#text = text;
    this.#at = this.#endsWithReturn && text.startsWith('\n') ? 1 : 0;
    if (text !== '') this.#endsWithReturn = false;
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

  /** The next character. */
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

  /** Also starts its first cell. */
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

  /** Passes CR, LF or CRLF, also if the LF is in the next piece. */
  passLineEnd(): void {
    const isReturn = this.#text[this.#at] === '\r';
    this.#at += 1;
    if (!isReturn) return;
    if (this.#at === this.#text.length) this.#endsWithReturn = true;
    else if (this.#text[this.#at] === '\n') this.#at += 1;
  }

  toLineEnd(): void {
    this.#at = this.#lineEnd();
  }

  toCellEnd(): void {
    this.#at = Math.min(this.#delimiters.from(this.#at), this.#lineEnd());
  }

  /** Moves to the next quote, and returns whether it passed a line end. */
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

/** Finds the next occurrence of a character. For increasing positions, it scans each part of the text only once. */
class Occurrences {
  readonly #text: string;
  readonly #character: string;
  #next = -1;

  constructor(text: string, character: string) {
    this.#text = text;
    this.#character = character;
  }

  /** The first occurrence at or after a position; the length of the text if there is none. */
  from(position: number): number {
    if (this.#next < position) {
      const next = this.#text.indexOf(this.#character, position);
      this.#next = next === -1 ? this.#text.length : next;
    }
    return this.#next;
  }
}
