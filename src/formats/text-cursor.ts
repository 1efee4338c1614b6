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

/** Where characters are next in a text. Asked for places that only grow, it looks at no part of the text twice. */
export class Occurrences {
  readonly #text: string;
  readonly #character: string;
  #next = -1;

  constructor(text: string, character: string) {
    this.#text = text;
    this.#character = character;
  }

  /** The length of the text where there is none any more. */
  from(place: number): number {
    if (this.#next < place) {
      const next = this.#text.indexOf(this.#character, place);
      this.#next = next === -1 ? this.#text.length : next;
    }
    return this.#next;
  }
}
