import type { Readable } from 'node:stream';
import { isWhite } from '../../../formats/json-bytes.js';
import { httpError } from '../../errors.js';

/** A body from the first byte on that says something; ends at once where there is none. */
export async function* bodyBytes(body: Readable): AsyncGenerator<Buffer, undefined> {
  const beginning = new BodyBeginning();
  let hasBegun = false;
  try {
    // Not destroyed where reading ends early: that would close the connection before the answer is sent.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      const bytes: Buffer = hasBegun ? chunk : beginning.push(chunk);
      hasBegun ||= bytes.length > 0;
      if (hasBegun) yield bytes;
    }
  } catch {
    throw httpError('request_aborted');
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const NOTHING = Buffer.alloc(0);

/** Leaves out a byte order mark, and white space up to the first byte that says something. */
export class BodyBeginning {
  /** Bytes that may be part of a mark; none any more once that is known. */
  #held: Buffer | undefined = NOTHING;

  /** What is left of a chunk; empty where nothing has begun yet. */
  push(chunk: Buffer): Buffer {
    const bytes = this.#pastMark(chunk);
    const start = bytes.findIndex((byte) => !isWhite(byte));
    return start === -1 ? NOTHING : bytes.subarray(start);
  }

  #pastMark(chunk: Buffer): Buffer {
    if (this.#held === undefined) return chunk;
    const bytes = Buffer.concat([this.#held, chunk]);
    const size = BYTE_ORDER_MARK.length;
    if (bytes.length < size && bytes.equals(BYTE_ORDER_MARK.subarray(0, bytes.length))) {
      this.#held = bytes;
      return NOTHING;
    }
    this.#held = undefined;
    return bytes.subarray(0, size).equals(BYTE_ORDER_MARK) ? bytes.subarray(size) : bytes;
  }
}
