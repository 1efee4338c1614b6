import { distance } from 'fastest-levenshtein';

/*
 * "Did you mean …?" for unknown field names.
 *
 * Comparing a sent name with every known name takes seconds for a large batch. A deletion-neighbourhood index
 * (symmetric delete) avoids that: it maps the hashes of each known name, with characters deleted, to that name. A sent
 * name is looked up with characters deleted in the same way, so the cost depends on its length and not on the number of
 * known names.
 *
 * - A hash maps to the first known name that has it, so the earlier of two equally close names wins.
 * - Different kinds of deletion have different keys, so the kind that matches gives the number of typing errors.
 * - Each match is verified by its Levenshtein distance, so a hash collision never leads to a wrong suggestion.
 * - Memory: about 32 bytes for each character of a known name, at most 9 MB for 1,000 names of 107 characters.
 */

const MAX_TYPOS = 2;

/* The kinds of deletion before hashing: what is left out of the name. */
const NOTHING = 0;
const ONE_CHARACTER = 1;
const TWO_NEIGHBOURS = 2;
const SEPARATORS = 3;
/** The first of many kinds: one character at a known position, which is added to this number. */
const ONE_CHARACTER_AT = 4;

const SEPARATOR = /[_.\-\s]+/g;

/** Finds the known field whose name is closest to a misspelt one. */
export class FieldSuggestions {
  readonly #longest: number;
  readonly #hashes = new VariantHashes();
  /** Built on first use, because only tenants that reject undeclared fields need it. */
  #places: FirstPlaces | undefined;

  constructor(readonly known: readonly string[]) {
    this.#longest = known.reduce((longest, name) => Math.max(longest, name.toLowerCase().length), 0);
  }

  /** A field at most two typing errors away, ignoring case; `undefined` if there is none. */
  closestTo(sent: string): string | undefined {
    if (sent.length > this.#longest + MAX_TYPOS) return undefined;
    const name = sent.toLowerCase();
    for (const place of this.#closestPlaces(name)) {
      const known = this.known[place];
      if (known !== undefined && distance(known.toLowerCase(), name) <= MAX_TYPOS) return known;
    }
    return undefined;
  }

  /** The candidates: the first equal name, one error away, two errors away, and with other separators. */
  #closestPlaces(name: string): readonly number[] {
    this.#places ??= this.#index();
    const places = this.#places;
    const hashes = this.#hashes;
    const whole = hashes.read(name);
    const equal = places.get(key(NOTHING, whole));
    let one = places.get(key(ONE_CHARACTER, whole));
    let two = places.get(key(TWO_NEIGHBOURS, whole));
    for (let at = 0; at < name.length; at += 1) {
      const hash = hashes.without(at, 1);
      one = Math.min(one, places.get(key(NOTHING, hash)), places.get(key(ONE_CHARACTER_AT + at, hash)));
      two = Math.min(
        two,
        places.get(key(ONE_CHARACTER, hash)),
        places.get(key(NOTHING, hashes.without(at, 2))),
      );
    }
    const otherSeparators = places.get(key(SEPARATORS, hashes.read(name.replace(SEPARATOR, ''))));
    return [equal, one, two, otherSeparators];
  }

  #index(): FirstPlaces {
    const names = this.known.map((field) => field.toLowerCase());
    const characters = names.reduce((sum, { length }) => sum + length, 0);
    const places = new FirstPlaces(2 * names.length + 3 * characters);
    const hashes = this.#hashes;
    for (const [place, name] of names.entries()) {
      places.add(key(SEPARATORS, hashes.read(name.replace(SEPARATOR, ''))), place);
      places.add(key(NOTHING, hashes.read(name)), place);
      for (let at = 0; at < name.length; at += 1) {
        const hash = hashes.without(at, 1);
        places.add(key(ONE_CHARACTER, hash), place);
        places.add(key(ONE_CHARACTER_AT + at, hash), place);
        places.add(key(TWO_NEIGHBOURS, hashes.without(at, 2)), place);
      }
    }
    return places;
  }
}

function key(kind: number, hash: number): number {
  return hash ^ Math.imul(kind, 0x9e3779b1);
}

/** What `get` returns for an unknown key; larger than every place. */
const NO_PLACE = 0x7fffffff;

/**
 * Maps a 32-bit key to the place that was added first: a hash table with open addressing, preceded by a Bloom filter
 * with one hash. Most lookups find nothing, and the filter answers them from the CPU cache. This is four times as fast
 * as a `Map` and takes half the memory.
 */
class FirstPlaces {
  readonly #shift: number;
  readonly #keys: Int32Array;
  readonly #places: Int32Array;
  readonly #bits: Uint8Array;

  /** `size` is the maximum number of keys. */
  constructor(size: number) {
    // At least half of the slots stay empty, so that few keys collide. The filter has four bits for each slot.
    const digits = Math.ceil(Math.log2(Math.max(size, 2))) + 1;
    this.#shift = 32 - digits;
    this.#keys = new Int32Array(2 ** digits);
    this.#places = new Int32Array(2 ** digits).fill(NO_PLACE);
    this.#bits = new Uint8Array(2 ** (digits - 1));
  }

  add(key: number, place: number): void {
    const hash = spread(key);
    const slot = this.#slotOf(key, hash);
    if (this.#places[slot] !== NO_PLACE) return;
    this.#keys[slot] = key;
    this.#places[slot] = place;
    const bit = hash >>> (this.#shift - 2);
    this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] as number) | (1 << (bit & 7));
  }

  get(key: number): number {
    const hash = spread(key);
    const bit = hash >>> (this.#shift - 2);
    if ((((this.#bits[bit >>> 3] as number) >>> (bit & 7)) & 1) === 0) return NO_PLACE;
    return this.#places[this.#slotOf(key, hash)] as number;
  }

  /** The slot of the key, or the empty slot where it belongs. */
  #slotOf(key: number, hash: number): number {
    const mask = this.#keys.length - 1;
    let slot = hash >>> this.#shift;
    while (this.#places[slot] !== NO_PLACE && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }
}

/** Spreads similar keys over distant slots (Fibonacci hashing). */
function spread(key: number): number {
  return Math.imul(key, 0x9e3779b1);
}

const BASE = 0x01000193;
/** BASE · INVERSE = 1 modulo 2^32. */
const INVERSE = 0x359c449b;
const INVERSE_SQUARED = Math.imul(INVERSE, INVERSE);

/**
 * Polynomial hashes modulo 2^32. The prefix hashes give the hash of a name without some characters in constant time.
 */
class VariantHashes {
  #prefixes = new Int32Array(256);
  #length = 0;
  #whole = 0;

  /** Returns the hash of a name, and prepares `without` for it. */
  read(name: string): number {
    if (name.length >= this.#prefixes.length) this.#prefixes = new Int32Array(2 * name.length);
    const prefixes = this.#prefixes;
    let hash = 0;
    let power = 1;
    for (let at = 0; at < name.length; at += 1) {
      hash = (hash + Math.imul(name.charCodeAt(at) + 1, power)) | 0;
      power = Math.imul(power, BASE);
      prefixes[at + 1] = hash;
    }
    this.#length = name.length;
    this.#whole = hash;
    return hash;
  }

  /** The hash of the name without one or two characters at a position; at the last position, two means one. */
  without(at: number, count: 1 | 2): number {
    const before = this.#prefixes[at] as number;
    const until = this.#prefixes[Math.min(at + count, this.#length)] as number;
    const rest = Math.imul((this.#whole - until) | 0, count === 1 ? INVERSE : INVERSE_SQUARED);
    return (before + rest) | 0;
  }
}
