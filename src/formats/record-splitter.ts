import { CARRIAGE_RETURN, isWhite, LINE_FEED } from './json-bytes.js';

const NOTHING = Buffer.alloc(0);

/** Stands for a record that is larger than one may be; it was not kept. */
export const TOO_LARGE = Symbol('too large');
export type Piece = Buffer | typeof TOO_LARGE;

/** Cuts a body, which comes in chunks of any size, into the bytes of single records. */
export abstract class RecordSplitter {
  readonly #maxBytes: number;
  /** The beginning of a record whose end has not come yet, in a buffer that doubles as it grows. */
  #held = NOTHING;
  /** Infinite for a record that is too large. */
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The records that end in this chunk. */
  abstract push(chunk: Buffer): Generator<Piece, void>;
  /** The record that ends with the body. */
  abstract end(): Generator<Piece, void>;

  protected get isTooLarge(): boolean {
    return this.#length === Number.POSITIVE_INFINITY;
  }

  protected keep(bytes: Buffer): void {
    const length = this.#length + bytes.length;
    if (length > this.#maxBytes) {
      this.#held = NOTHING;
      this.#length = Number.POSITIVE_INFINITY;
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

  /** What was kept of a record, with its last bytes. */
  protected take(last: Buffer): Piece {
    if (this.#length === 0 && last.length <= this.#maxBytes) return last;
    this.keep(last);
    const piece = this.isTooLarge ? TOO_LARGE : this.#held.subarray(0, this.#length);
    this.#held = NOTHING;
    this.#length = 0;
    return piece;
  }
}

/** A record a line (NDJSON); lines without anything but white space are left out. */
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
    yield* this.#line(NOTHING);
  }

  *#line(last: Buffer): Generator<Piece, void> {
    const line = this.take(last);
    if (line === TOO_LARGE) yield line;
    else if (!line.every(isWhite)) yield line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
  }
}
