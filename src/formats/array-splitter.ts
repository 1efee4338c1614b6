import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  isWhite,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-bytes.js';
import { type Piece, RecordSplitter } from './record-splitter.js';

/** The array itself is broken: it is unknown where the next element begins. */
export class MalformedArray extends Error {}

type Place = 'before the array' | 'before the first' | 'before another' | 'inside' | 'behind' | 'at the end';

/**
 * The elements of a JSON array. Only as much is looked at as tells where each ends; whether that is JSON is for the
 * parser to say. Throws `MalformedArray` where the array itself is broken.
 */
export class ArraySplitter extends RecordSplitter {
  #place: Place = 'before the array';
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Those passed outside of elements, for whoever has to say on which line something is. */
  lineFeeds = 0;

  *push(chunk: Buffer): Generator<Piece, void> {
    let at = 0;
    while (at < chunk.length) {
      if (this.#place !== 'inside') {
        const byte = chunk[at] as number;
        if (!isWhite(byte)) this.#place = this.#after(byte);
        else if (byte === LINE_FEED) this.lineFeeds += 1;
        if (this.#place !== 'inside') at += 1;
        continue;
      }
      const end = this.#endOfElement(chunk, at);
      if (end === -1) {
        this.keep(chunk.subarray(at));
        // Without waiting for an end that may never come.
        if (this.isTooLarge) yield this.take(chunk.subarray(0, 0));
        return;
      }
      yield this.take(chunk.subarray(at, end));
      this.#place = 'behind';
      at = end;
    }
  }

  // biome-ignore lint/correctness/useYield: the last element ends before the array does.
  *end(): Generator<Piece, void> {
    if (this.#place !== 'at the end') throw new MalformedArray('The body ends before the array does.');
  }

  /** The place behind a byte that is outside of all elements, or begins one. */
  #after(byte: number): Place {
    switch (this.#place) {
      case 'before the array':
        if (byte === OPEN_BRACKET) return 'before the first';
        throw new MalformedArray('The body must be a JSON array.');
      case 'behind':
        if (byte === COMMA) return 'before another';
        if (byte === CLOSE_BRACKET) return 'at the end';
        throw new MalformedArray('A comma or the end of the array has to come before this record.');
      case 'at the end':
        throw new MalformedArray('Nothing may follow the array.');
      default:
        if (byte === CLOSE_BRACKET && this.#place === 'before the first') return 'at the end';
        if (byte === COMMA || byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
          throw new MalformedArray('The record is missing.');
        }
        return 'inside';
    }
  }

  /** Where the element ends that is open at `from`; -1 where it goes on behind the chunk. */
  #endOfElement(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) {
          this.#isInString = false;
          if (this.#depth === 0) return at + 1;
        }
      } else if (byte === QUOTE) {
        this.#isInString = true;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        this.#depth += 1;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (this.#depth === 0) return at;
        this.#depth -= 1;
        if (this.#depth === 0) return at + 1;
      } else if (this.#depth === 0 && (byte === COMMA || isWhite(byte))) {
        return at;
      }
    }
    return -1;
  }
}
