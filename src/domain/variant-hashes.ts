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
