import { distance } from 'fastest-levenshtein';
import { FirstPlaces } from './first-places.js';
import { VariantHashes } from './variant-hashes.js';

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
