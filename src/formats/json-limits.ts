import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-bytes.js';
import { JsonProblem, type JsonSubject } from './json-problem.js';

const MAX_DEPTH = 32;
/** Keys of one object. */
const MAX_KEYS = 1_000;
/** More than the largest batch with a nested object per record. A body of containers alone takes seconds to parse. */
const MAX_CONTAINERS = 200_000;

/** Real fields need more bytes per value; without this limit a body could hold five times as many values. */
const MIN_BYTES_PER_VALUE = 10;
/** Always allowed, since parsing them takes a few milliseconds. */
const FREE_VALUES = 100_000;

/**
 * Limits the structure of JSON before it is parsed: deep nesting or very many small objects make `JSON.parse` take
 * seconds for a body of allowed size. A one-pass byte scanner counts nesting, containers,
 * keys per object and values as the bytes arrive, and throws at the first limit that is exceeded.
 *
 * Invariants: nothing is allocated per value; chunk boundaries may be anywhere, also inside a string or an escape;
 * invalid JSON is not reported here, because the parser does that with a position.
 */
export class JsonLimits {
  readonly #what: JsonSubject;
  readonly #maxValues: number;
  /** Keys so far of the open object at each depth. */
  readonly #keys = [0];
  /** Negative if more containers were closed than opened; that is not JSON, and scanning ends. */
  #depth = 0;
  #containers = 0;
  /** Counted by commas. */
  #values = 0;
  /** Offset at which an unfinished string continues in the next chunk: 1 if its first byte is escaped, else 0. */
  #stringFrom: number | undefined;

  /** `maxBytes` is the largest allowed size of the body, or of one record in it. */
  constructor(maxBytes: number, what: JsonSubject = 'body') {
    this.#what = what;
    this.#maxValues = Math.max(Math.floor(maxBytes / MIN_BYTES_PER_VALUE), FREE_VALUES);
  }

  push(bytes: Buffer): void {
    const keys = this.#keys;
    let depth = this.#depth;
    let values = this.#values;
    let i = this.#stringFrom === undefined ? 0 : this.#skipString(bytes, this.#stringFrom);
    while (i < bytes.length && depth >= 0) {
      const byte = bytes[i];
      i += 1;
      switch (byte) {
        case QUOTE:
          i = this.#skipString(bytes, i);
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
            throw new JsonProblem('too_many_keys', this.#what, MAX_KEYS);
          }
          break;
      }
    }
    this.#depth = depth;
    this.#values = values;
    if (values > this.#maxValues) {
      throw new JsonProblem('too_many_values', this.#what, this.#maxValues);
    }
  }

  #open(depth: number): void {
    if (depth > MAX_DEPTH) {
      throw new JsonProblem('nested_too_deep', this.#what, MAX_DEPTH);
    }
    this.#containers += 1;
    if (this.#containers > MAX_CONTAINERS) {
      throw new JsonProblem('too_many_containers', this.#what, MAX_CONTAINERS);
    }
  }

  /** Returns the index after the closing quote. */
  #skipString(bytes: Buffer, start: number): number {
    let i = start;
    while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
    this.#stringFrom = i < bytes.length ? undefined : i - bytes.length;
    return i + 1;
  }
}
