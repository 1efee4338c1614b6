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

/** The array itself is malformed, so the start of the next element is unknown. */
export class MalformedArray extends Error {}

type State = 'before the array' | 'before the first' | 'before another' | 'inside' | 'after' | 'at the end';

/**
 * Splits a JSON array into the bytes of its elements, without parsing them: a state machine that tracks only strings
 * and nesting. The parser checks each element later. Throws `MalformedArray` if the array itself is malformed.
 *
 *   before the array --[--> before the first --> inside --> after --]--> at the end
 *                                                  ^          | ,
 *                                                  '-- before another
 */
export class ArraySplitter extends RecordSplitter {
  #state: State = 'before the array';
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The number of line feeds outside of elements, for line numbers in messages. */
  lineFeeds = 0;

  *push(chunk: Buffer): Generator<Piece, void> {
    let at = 0;
    while (at < chunk.length) {
      if (this.#state !== 'inside') {
        const byte = chunk[at] as number;
        if (!isWhite(byte)) this.#state = this.#next(byte);
        else if (byte === LINE_FEED) this.lineFeeds += 1;
        if (this.#state !== 'inside') at += 1;
        continue;
      }
      const end = this.#endOfElement(chunk, at);
      if (end === -1) {
        this.keep(chunk.subarray(at));
        // Reported now, because the end of the element may never come.
        if (this.isTooLarge) yield this.take(chunk.subarray(0, 0));
        return;
      }
      yield this.take(chunk.subarray(at, end));
      this.#state = 'after';
      at = end;
    }
  }

  // biome-ignore lint/correctness/useYield: the last element ends before the array does.
  *end(): Generator<Piece, void> {
    if (this.#state !== 'at the end') throw new MalformedArray('The body ends before the array does.');
  }

  /** The state after a byte that is outside of all elements or starts one. */
  #next(byte: number): State {
    switch (this.#state) {
      case 'before the array':
        if (byte === OPEN_BRACKET) return 'before the first';
        throw new MalformedArray('The body must be a JSON array.');
      case 'after':
        if (byte === COMMA) return 'before another';
        if (byte === CLOSE_BRACKET) return 'at the end';
        throw new MalformedArray('A comma or the end of the array has to come before this record.');
      case 'at the end':
        throw new MalformedArray('Nothing may follow the array.');
      default:
        if (byte === CLOSE_BRACKET && this.#state === 'before the first') return 'at the end';
        if (byte === COMMA || byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
          throw new MalformedArray('The record is missing.');
        }
        return 'inside';
    }
  }

  /** The end of the element that is open at `from`; -1 if it continues after the chunk. */
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
