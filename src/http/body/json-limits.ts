import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../../formats/json-bytes.js';
import { httpError } from '../errors.js';

const MAX_DEPTH = 32;
const MAX_KEYS = 1_000;
/** More than a batch of the largest size, each record of which holds another; a body of nothing else takes seconds. */
const MAX_CONTAINERS = 200_000;

/** As many as fit into a body of the largest size: fields take more, and without a bound there could be five times as many. */
const BYTES_A_VALUE = 10;
/** They take a few milliseconds. */
const FREE_VALUES = 100_000;

/**
 * Refuses nesting and objects that would keep the parser, and everybody who waits behind it, busy for seconds. It looks
 * at the bytes as they come, before anything is built from them; whether they are JSON at all is for the parser to say.
 */
export class JsonLimits {
  readonly #what: 'body' | 'record';
  readonly #maxValues: number;
  /** How many keys the object open at each depth has so far. */
  readonly #keys = [0];
  /** Below zero where more was closed than was open: that is no JSON. */
  #depth = 0;
  #containers = 0;
  /** Each comma stands for one. */
  #values = 0;
  /** Where an open string goes on in the next bytes: behind the first, where that is escaped. */
  #stringFrom: number | undefined;

  /** Of a body, or of one record in it, which may have so many bytes. */
  constructor(maxBytes: number, what: 'body' | 'record' = 'body') {
    this.#what = what;
    this.#maxValues = Math.max(Math.floor(maxBytes / BYTES_A_VALUE), FREE_VALUES);
  }

  push(bytes: Buffer): void {
    const keys = this.#keys;
    let depth = this.#depth;
    let values = this.#values;
    let i = this.#stringFrom === undefined ? 0 : this.#behindString(bytes, this.#stringFrom);
    while (i < bytes.length && depth >= 0) {
      const byte = bytes[i];
      i += 1;
      switch (byte) {
        case QUOTE:
          i = this.#behindString(bytes, i);
          break;
        case OPEN_BRACE:
        case OPEN_BRACKET:
          depth += 1;
          this.#open(depth);
          keys[depth] = 0;
          break;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          depth -= 1;
          break;
        case COMMA:
          values += 1;
          break;
        case COLON:
          keys[depth] = (keys[depth] ?? 0) + 1;
          if ((keys[depth] ?? 0) > MAX_KEYS) {
            throw httpError('too_many_keys', this.#what, MAX_KEYS);
          }
          break;
      }
    }
    this.#depth = depth;
    this.#values = values;
    if (values > this.#maxValues) {
      throw httpError('too_many_values', this.#what, this.#maxValues);
    }
  }

  #open(depth: number): void {
    if (depth > MAX_DEPTH) {
      throw httpError('nested_too_deep', this.#what, MAX_DEPTH);
    }
    this.#containers += 1;
    if (this.#containers > MAX_CONTAINERS) {
      throw httpError('too_many_containers', this.#what, MAX_CONTAINERS);
    }
  }

  #behindString(bytes: Buffer, start: number): number {
    let i = start;
    while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
    this.#stringFrom = i < bytes.length ? undefined : i - bytes.length;
    return i + 1;
  }
}
