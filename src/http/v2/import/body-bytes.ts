import type { Readable } from 'node:stream';
import { isWhite } from '../../../formats/json-bytes.js';
import { turn } from '../../body/read-in-turns.js';
import { httpError } from '../../errors.js';

/** The bytes of a body without a byte order mark and leading white space; yields nothing if the rest is empty. */
export async function* bodyBytes(body: Readable): AsyncGenerator<Buffer, undefined> {
  const stripper = new LeadingWhitespaceStripper();
  let hasBegun = false;
  try {
    // Not destroyed if reading ends early: that would close the connection before the response is sent.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      const bytes: Buffer = hasBegun ? chunk : stripper.push(chunk);
      hasBegun ||= bytes.length > 0;
      await turn();
      if (hasBegun) yield bytes;
    }
  } catch {
    throw httpError('request_aborted');
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const EMPTY = Buffer.alloc(0);

/** Removes a byte order mark and white space from the beginning of a body, whose chunks may split the mark. */
export class LeadingWhitespaceStripper {
  /** Bytes that may be the beginning of a mark; undefined once that is decided. */
  #held: Buffer | undefined = EMPTY;

  /** Returns the rest of a chunk; empty as long as only white space has arrived. */
  push(chunk: Buffer): Buffer {
    const bytes = this.#withoutMark(chunk);
    const start = bytes.findIndex((byte) => !isWhite(byte));
    return start === -1 ? EMPTY : bytes.subarray(start);
  }

  #withoutMark(chunk: Buffer): Buffer {
    if (this.#held === undefined) return chunk;
    const bytes = Buffer.concat([this.#held, chunk]);
    const size = BYTE_ORDER_MARK.length;
    if (bytes.length < size && bytes.equals(BYTE_ORDER_MARK.subarray(0, bytes.length))) {
      this.#held = bytes;
      return EMPTY;
    }
    this.#held = undefined;
    return bytes.subarray(0, size).equals(BYTE_ORDER_MARK) ? bytes.subarray(size) : bytes;
  }
}
