import { randomInt } from 'node:crypto';
import { Random } from '../../dist/cli/demo/random.js';
import type { Trial } from './trial.js';

/** What `FAULTS_SEED` says, or another seed each time; the summary tells it, so that a failure can be repeated. */
export function seedOf(trial: Trial): number {
  const seed = Number(process.env.FAULTS_SEED ?? randomInt(1_000_000));
  trial.figures.seed = seed;
  return seed;
}

/** The same seed makes the same choices. */
export class Chance extends Random {
  readonly seed: number;

  constructor(trial: Trial) {
    const seed = seedOf(trial);
    super(seed);
    this.seed = seed;
  }

  /** A whole number below this. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  times<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }
}
