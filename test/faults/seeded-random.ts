import { randomInt } from 'node:crypto';
import { Random } from '../../dist/cli/demo/random.js';
import type { Trial } from './trial.js';

/** `FAULTS_SEED`, or a new seed for each run. The summary prints the seed, so that a failure can be reproduced. */
export function seedOf(trial: Trial): number {
  const seed = Number(process.env.FAULTS_SEED ?? randomInt(1_000_000));
  trial.figures.seed = seed;
  return seed;
}

/** A random generator: the same seed gives the same choices. */
export class SeededRandom extends Random {
  readonly seed: number;

  constructor(trial: Trial) {
    const seed = seedOf(trial);
    super(seed);
    this.seed = seed;
  }

  /** An integer from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  times<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }
}
