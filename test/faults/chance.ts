/** Chance that can be repeated: the same seed gives the same choices. */
export class Chance {
  #state: number;

  constructor(readonly seed: number) {
    this.#state = seed >>> 0;
  }

  /** The seed of `FUZZ_SEED`, or another each time. It is told, so that a failure can be repeated. */
  static forFuzzing(name: string): Chance {
    const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 32));
    process.stderr.write(`${name}: FUZZ_SEED=${seed} repeats this run\n`);
    return new Chance(seed);
  }

  /** From 0 up to, but not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number below this. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  is(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  times<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }
}
