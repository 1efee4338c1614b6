import { CARRIAGE_RETURN, isWhite, LINE_FEED } from '../../json-bytes.js';
import { type Piece, RecordSplitter, TOO_LARGE } from './record-splitter.js';

const NOTHING = Buffer.alloc(0);

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
