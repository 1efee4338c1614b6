import { distance } from 'fastest-levenshtein';

/*
 * "Did you mean …?" for the names of fields that are not known.
 *
 * Comparing a sent name with every known one costs a distance for each pair: seconds for a large batch. Instead a
 * deletion-neighbourhood index (symmetric delete) is built once. The hash of each known name with characters left out
 * leads to that name, and a sent name is looked up with characters left out in the same way. So the cost of a sent name
 * depends on its length, and not on how many names are known.
 *
 * - A hash leads to the first known name that has it, so the earlier name wins where two are equally close.
 * - Hashes of different kinds are different keys, so the kind that matches tells the number of typing errors.
 * - A match is verified by its Levenshtein distance, so colliding hashes never lead to a wrong suggestion.
 * - Memory: about 32 bytes for each character of a known name, at most 9 MB for 1,000 names of 107 characters.
 */

const MAX_TYPOS = 2;

/** What a known name was hashed without. */
const NOTHING = 0;
const ONE_CHARACTER = 1;
const TWO_NEIGHBOURS = 2;
const SEPARATORS = 3;
/** And on: one character, at the place that is added. */
const ONE_CHARACTER_AT = 4;

const SEPARATOR = /[_.\-\s]+/g;

/** Finds the known field that a sent one is a misspelling of. */
export class FieldSuggestions {
  readonly #longest: number;
  readonly #hashes = new VariantHashes();
  /** By the key of a variant. Built when it is first needed: only tenants that reject undeclared fields do. */
  #places: FirstPlaces | undefined;

  constructor(readonly known: readonly string[]) {
    this.#longest = known.reduce((longest, name) => Math.max(longest, name.toLowerCase().length), 0);
  }

  /** A field at most two typing errors away, where case does not count; `undefined` where none is found. */
  closestTo(sent: string): string | undefined {
    if (sent.length > this.#longest + MAX_TYPOS) return undefined;
    const name = sent.toLowerCase();
    for (const place of this.#closestPlaces(name)) {
      const known = this.known[place];
      if (known !== undefined && distance(known.toLowerCase(), name) <= MAX_TYPOS) return known;
    }
    return undefined;
  }

  /** The first that equals the name, that is one typing error away, two, and that has other separators. */
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
    const respelt = places.get(key(SEPARATORS, hashes.read(name.replace(SEPARATOR, ''))));
    return [equal, one, two, respelt];
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

/** What `get` answers where there is none; larger than every place. */
export const NO_PLACE = 0x7fffffff;

/**
 * 32-bit key → the place that was added first: a hash table with open addressing, behind a bit for each key (a Bloom filter
 * with one hash). Most look-ups find nothing. The bits tell so from the processor's cache, four times as fast as a `Map`,
 * which would also take twice the memory.
 */
export class FirstPlaces {
  readonly #shift: number;
  readonly #keys: Int32Array;
  readonly #places: Int32Array;
  readonly #bits: Uint8Array;

  /** For at most so many keys. */
  constructor(size: number) {
    // Half of it stays empty, so that few keys share a slot. Each slot has four bits.
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

  /** The slot that has the key, or the empty one where it belongs. */
  #slotOf(key: number, hash: number): number {
    const mask = this.#keys.length - 1;
    let slot = hash >>> this.#shift;
    while (this.#places[slot] !== NO_PLACE && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }
}

/** Keys that are alike get slots far from each other. */
function spread(key: number): number {
  return Math.imul(key, 0x9e3779b1);
}

const BASE = 0x01000193;
/** BASE · INVERSE = 1 modulo 2^32. */
const INVERSE = 0x359c449b;
const INVERSE_SQUARED = Math.imul(INVERSE, INVERSE);

/** Polynomial hashes modulo 2^32: from those of all prefixes, that of a name without some characters follows at once. */
export class VariantHashes {
  #prefixes = new Int32Array(256);
  #length = 0;
  #whole = 0;

  /** The hash of a name, whose variants are then asked for. */
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

  /** Of the name without one or two characters; at its end, two are one. */
  without(at: number, count: 1 | 2): number {
    const before = this.#prefixes[at] as number;
    const until = this.#prefixes[Math.min(at + count, this.#length)] as number;
    const rest = Math.imul((this.#whole - until) | 0, count === 1 ? INVERSE : INVERSE_SQUARED);
    return (before + rest) | 0;
  }
}
