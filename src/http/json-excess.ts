import { refusals } from './refusal.js';

const MAX_DEPTH = 32;
const MAX_KEYS = 1_000;
/** More than a batch of the largest size, each record of which holds another; a body of nothing else takes seconds. */
const MAX_CONTAINERS = 200_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;

/** How many keys the object open at each depth has so far. */
const keys = new Uint32Array(MAX_DEPTH + 1);

/**
 * Refuses nesting and objects that would keep the parser, and everybody who waits behind it, busy for seconds. It looks
 * at the bytes, before anything is built from them; whether they are JSON at all is for the parser to say.
 */
export function refuseExcess(bytes: Buffer, what = 'body'): void {
  keys[0] = 0;
  let depth = 0;
  let containers = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    switch (bytes[i]) {
      case QUOTE:
        i = endOfString(bytes, i);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        if (depth > MAX_DEPTH) {
          throw refusals.badBody(`The ${what} may not be nested deeper than ${MAX_DEPTH} levels.`);
        }
        keys[depth] = 0;
        containers += 1;
        if (containers > MAX_CONTAINERS) {
          throw refusals.badBody(`The ${what} may not hold more than ${MAX_CONTAINERS} objects and arrays.`);
        }
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        if (depth < 0) return;
        break;
      case COLON:
        keys[depth] = (keys[depth] ?? 0) + 1;
        if ((keys[depth] ?? 0) > MAX_KEYS) {
          throw refusals.badBody(`An object in the ${what} may not have more than ${MAX_KEYS} keys.`);
        }
        break;
    }
  }
}

function endOfString(bytes: Buffer, start: number): number {
  let i = start + 1;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}
