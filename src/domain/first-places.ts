/** What `get` answers where there is none; larger than every place. */
export const NO_PLACE = 0x7fffffff;

/**
 * 32-bit key → the place that was added first: a hash table with open addressing. A `Map` takes twice the memory, and
 * nearly twice as long to find that a key is absent, which is the outcome of most look-ups.
 */
export class FirstPlaces {
  readonly #shift: number;
  readonly #keys: Int32Array;
  readonly #places: Int32Array;

  /** For at most so many keys. */
  constructor(size: number) {
    // Half of it stays empty, so that few keys share a slot.
    const bits = Math.ceil(Math.log2(Math.max(size, 1))) + 1;
    this.#shift = 32 - bits;
    this.#keys = new Int32Array(2 ** bits);
    this.#places = new Int32Array(2 ** bits).fill(NO_PLACE);
  }

  add(key: number, place: number): void {
    const slot = this.#slotOf(key);
    if (this.#places[slot] !== NO_PLACE) return;
    this.#keys[slot] = key;
    this.#places[slot] = place;
  }

  get(key: number): number {
    return this.#places[this.#slotOf(key)] as number;
  }

  /** The slot that has the key, or the empty one where it belongs. */
  #slotOf(key: number): number {
    const mask = this.#keys.length - 1;
    let slot = Math.imul(key, 0x9e3779b1) >>> this.#shift;
    while (this.#places[slot] !== NO_PLACE && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }
}
