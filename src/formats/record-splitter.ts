import { CARRIAGE_RETURN, isWhite, LINE_FEED } from './json-bytes.js';

const EMPTY = Buffer.alloc(0);

/** Replaces a record that is larger than allowed, whose bytes were dropped. */
export const TOO_LARGE = Symbol('too large');
export type Piece = Buffer | typeof TOO_LARGE;

/**
 * Splits a body, which arrives in chunks of any size, into the bytes of its records. Memory is bounded by `maxBytes`.
 */
export abstract class RecordSplitter {
  readonly #maxBytes: number;
  /** The start of an incomplete record, in a buffer that doubles its size when it is full. */
  #held = EMPTY;
  /** The length of that start; infinite for a record that is too large. */
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Yields the records that end in this chunk. */
  abstract push(chunk: Buffer): Generator<Piece, void>;
  /** Yields the record that ends with the body. */
  abstract end(): Generator<Piece, void>;

  /** The memory of an incomplete record. */
  get heldBytes(): number {
    return this.#held.length;
  }

  /** Drops an incomplete record: nothing can be split any more. */
  drop(): void {
    this.#held = EMPTY;
    this.#length = Number.POSITIVE_INFINITY;
  }

  protected get isTooLarge(): boolean {
    return this.#length === Number.POSITIVE_INFINITY;
  }

  protected keep(bytes: Buffer): void {
    const length = this.#length + bytes.length;
    if (length > this.#maxBytes) {
      this.drop();
      return;
    }
    if (length > this.#held.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, Math.min(2 * this.#held.length, this.#maxBytes)));
      this.#held.copy(larger, 0, 0, this.#length);
      this.#held = larger;
    }
    bytes.copy(this.#held, this.#length);
    this.#length = length;
  }

  /** Returns the whole record, whose last bytes are given. */
  protected take(last: Buffer): Piece {
    if (this.#length === 0 && last.length <= this.#maxBytes) return last;
    this.keep(last);
    const piece = this.isTooLarge ? TOO_LARGE : this.#held.subarray(0, this.#length);
    this.#held = EMPTY;
    this.#length = 0;
    return piece;
  }
}

/** Splits NDJSON, one record per line; skips blank lines. */
export class LineSplitter extends RecordSplitter {
  *push(chunk: Buffer): Generator<Piece, void> {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield* this.#line(chunk.subarray(start, end));
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
  }

  *end(): Generator<Piece, void> {
    yield* this.#line(EMPTY);
  }

  *#line(last: Buffer): Generator<Piece, void> {
    const line = this.take(last);
    if (line === TOO_LARGE) yield line;
    else if (!line.every(isWhite)) yield line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
  }
}
