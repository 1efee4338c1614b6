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
 * seconds for a body of allowed size. Counts nesting, containers, keys per object and values in one pass over the bytes,
 * and throws at the first limit that is exceeded. `maxBytes` is the largest allowed size of the body, or of one record.
 *
 * Invariants: nothing is allocated per value; invalid JSON is not reported here, because the parser does that with a
 * position.
 */
export function checkJsonLimits(bytes: Buffer, maxBytes: number, what: JsonSubject = 'body'): void {
  const maxValues = Math.max(Math.floor(maxBytes / MIN_BYTES_PER_VALUE), FREE_VALUES);
  /** Keys so far of the open object at each depth. */
  const keys = [0];
  /** Negative if more containers were closed than opened; that is not JSON, and scanning ends. */
  let depth = 0;
  let containers = 0;
  /** Counted by commas. */
  let values = 0;
  for (let i = 0; i < bytes.length && depth >= 0; i += 1) {
    switch (bytes[i]) {
      case QUOTE:
        i = closingQuote(bytes, i + 1);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        if (depth > MAX_DEPTH) throw new JsonProblem('nested_too_deep', what, MAX_DEPTH);
        containers += 1;
        if (containers > MAX_CONTAINERS) throw new JsonProblem('too_many_containers', what, MAX_CONTAINERS);
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
        if ((keys[depth] ?? 0) > MAX_KEYS) throw new JsonProblem('too_many_keys', what, MAX_KEYS);
        break;
    }
  }
  if (values > maxValues) throw new JsonProblem('too_many_values', what, maxValues);
}

/** The index of the quote that closes a string, or behind the end if there is none. */
function closingQuote(bytes: Buffer, start: number): number {
  let i = start;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}
